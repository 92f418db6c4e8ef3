// The shapes of the drawing.

const SVG = "http://www.w3.org/2000/svg";

/** A new SVG element. */
export function shape(name, attributes = {}, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  made.textContent = text;
  return made;
}

/** The place of a label, on the side where no edge arrives. */
export const side = ({ x, parent }) =>
  x < parent.x ? { x: -4, "text-anchor": "end" } : { x: 4, "text-anchor": "start" };

/** A number with at most two decimals. */
export const round = (number) => Math.round(100 * number) / 100;
