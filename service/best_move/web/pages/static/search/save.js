// The drawing as a file: in light colors, with a title, the step and a legend.

import { element, find } from "../page.js";
import { legend, shape } from "./drawing.js";

const PAINT = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "visibility"];
const TYPE = ["font-size", "font-weight", "paint-order", ...PAINT];
const MARGIN = 24;
const LEAST_WIDTH = 760;
const LETTER = 7; // the assumed width of a letter in the lines below the title

/** The drawing of a tree as a file: its SVG and its name. */
export function saved(tree, drawing, { algorithm }, title, step) {
  const numbers = [...find("moment-numbers").children].map((line) => line.textContent).join(" · ");
  const place = `${tree.kind.notation(tree)}, ${step}`;
  const text = `${place}. ${numbers}. ${find("moment-sentence").textContent} ${find("position-cost").textContent}`;
  const svg = picture(drawing, legend(tree, algorithm), { title, text });
  return { svg, name: `search-tree-${tree.kind.fileName(tree)}-${algorithm}.svg` };
}

/** Return an SVG that has, from top to bottom, a title, a text, the drawing and its legend. */
function picture(drawing, signs, { title, text }) {
  const width = Math.max(drawing.width, LEAST_WIDTH);
  const lines = wrapped(text, width / LETTER);
  const top = MARGIN + 34 + 20 * lines.length;
  const svg = shape("svg", { width: width + 2 * MARGIN, "font-family": "sans-serif" });
  const tree = shape("g", { transform: `translate(${MARGIN + (width - drawing.width) / 2} ${top})` });
  tree.append(...[...drawing.svg.children].map((part) => part.cloneNode(true)));
  tree.querySelector(".ground").remove();
  const key = shape("g", { transform: `translate(${MARGIN} ${top + drawing.height + 20})` });
  const head = [
    shape("text", { class: "title", x: MARGIN, y: MARGIN + 16 }, title),
    ...lines.map((line, index) => shape("text", { class: "line", x: MARGIN, y: MARGIN + 40 + 20 * index }, line)),
  ];
  const ground = shape("rect", { class: "paper" });
  svg.append(shape("title", {}, title), ground, ...head, tree, key);

  // The SVG is measured and styled on the page, because the styles are there, but out of sight and in light colors.
  const place = element("div", svg, "search picture");
  document.body.append(place);
  const height = top + drawing.height + 20 + fillKey(key, signs, width) + MARGIN;
  for (const each of [svg, ground]) {
    each.setAttribute("width", width + 2 * MARGIN);
    each.setAttribute("height", height);
  }
  svg.setAttribute("viewBox", `0 0 ${width + 2 * MARGIN} ${height}`);
  settle(svg);
  place.remove();
  return new XMLSerializer().serializeToString(svg);
}

/** Draw the legend in as many rows as it needs; return the vertical distance from the first row to the last. */
function fillKey(key, signs, width) {
  let [x, y] = [0, 0];
  for (const { drawing, text } of signs) {
    const item = shape("g");
    const sign = shape("g");
    for (const { name, value } of drawing.attributes) {
      if (/^(class|data-)/.test(name)) {
        sign.setAttribute(name, value);
      }
    }
    const [left, , room] = drawing.getAttribute("viewBox").split(" ").map(Number);
    sign.setAttribute("transform", `translate(${-left} -4)`);
    sign.append(...drawing.children);
    const words = shape("text", { class: "line", x: room + 5 }, text);
    item.append(sign, words);
    key.append(item);
    const taken = room + 5 + words.getComputedTextLength() + 22;
    if (x + taken > width && x) {
      [x, y] = [0, y + 22];
    }
    item.setAttribute("transform", `translate(${x} ${y})`);
    x += taken;
  }
  return y;
}

/** Copy the page's styles into the shapes, and remove everything that only the page needs. */
function settle(svg) {
  const styles = [...svg.querySelectorAll("*")].map((each) => {
    const style = getComputedStyle(each);
    const names = { g: ["opacity"], title: [], text: TYPE, tspan: TYPE }[each.tagName] ?? PAINT;
    return [each, names.map((name) => [name, style.getPropertyValue(name)])];
  });
  for (const [each, values] of styles) {
    for (const name of each.getAttributeNames().filter((one) => /^(class|role|tabindex|aria-|data-)/.test(one))) {
      each.removeAttribute(name);
    }
    for (const [name, value] of values) {
      each.setAttribute(name, value);
    }
  }
}

/** The lines of a text, wrapped at a maximum number of characters. */
function wrapped(text, width) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = `${lines.at(-1)} ${word}`.trim();
    if (line.length > width) {
      lines.push(word);
    } else {
      lines[lines.length - 1] = line;
    }
  }
  return lines;
}
