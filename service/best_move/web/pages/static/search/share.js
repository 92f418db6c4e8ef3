// The menu to share a search: its link, the code that embeds it, its drawing, and printing.

import { copy } from "../clipboard.js";
import { element, find, write } from "../page.js";
import { load } from "../service.js";

// Many programs end a link at a bracket.
const CODES = { "[": "%5B", "]": "%5D", "(": "%28", ")": "%29" };

const ACTS = {
  async "copy-link"(view) {
    write("shared", await copy(linkTo(view)));
  },
  async "copy-embed"(view) {
    const code = find("embed-code");
    const frame = document.createElement("iframe");
    Object.assign(frame, {
      src: linkTo(view),
      width: 1240,
      height: 760,
      title: document.title,
      allow: "clipboard-write",
    });
    frame.style.cssText = "border:0;max-width:100%";
    code.textContent = frame.outerHTML;
    code.hidden = false;
    write("shared", await copy(code.textContent, code));
  },
  async "save-tree"(view) {
    const { saved } = await load("./search/save.js", (text) => write("shared", text));
    if (saved) {
      const { svg, name } = view.drawn((...drawn) => saved(...drawn, ...view.moment())) ?? {};
      write("shared", svg ? "Saved." : "There is no tree to save.");
      offer(svg, name);
    }
  },
  print() {
    find("share").open = false;
    print();
  },
};

/**
 * Do what the button with an ID says; without one, forget what was done when the menu was open before. `view` has
 * functions: `address()` returns the address of the view, `moment()` its title and its step, and `drawn(draw)` calls a
 * function with its tree, drawing and traversal, if any.
 */
export function act(id, view) {
  if (!id) {
    find("embed-code").hidden = true;
    write("shared", "");
  }
  ACTS[id]?.(view);
}

const linkTo = ({ address }) => new URL(address(), location.href).href.replace(/[[\]()]/g, (bracket) => CODES[bracket]);

/** Offer a drawing, if there is one, as a file. */
function offer(svg, name) {
  if (svg) {
    const file = element("a");
    file.href = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    file.download = name;
    file.click();
    URL.revokeObjectURL(file.href);
  }
}
