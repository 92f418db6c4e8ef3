// The menu to share a search: its link, the code that embeds it, its drawing, and printing.

import { copy, element, find, onClick, write } from "../page.js";

/** Wire the menu: `link()` returns the URL of the view, `picture()` its drawing as SVG, if it can, and the file's name. */
export function wireShare(link, picture) {
  const menu = find("share");
  const code = find("embed-code");
  onClick("copy-link", async () => write("shared", await copy(link())));
  onClick("copy-embed", async () => {
    const frame = document.createElement("iframe");
    Object.assign(frame, { src: link(), width: 1240, height: 760, title: document.title, allow: "clipboard-write" });
    frame.style.cssText = "border:0;max-width:100%";
    code.textContent = frame.outerHTML;
    code.hidden = false;
    write("shared", await copy(code.textContent, code));
  });
  onClick("save-tree", async () => {
    const { svg, name } = await picture();
    if (svg) {
      const file = element("a");
      file.href = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
      file.download = name;
      file.click();
      URL.revokeObjectURL(file.href);
      write("shared", "Saved.");
    }
  });
  onClick("print", () => {
    menu.open = false;
    print();
  });
  menu.addEventListener("toggle", () => {
    code.hidden = true;
    write("shared", "");
  });
  addEventListener("click", ({ target }) => {
    menu.open &&= menu.contains(target);
  });
  menu.addEventListener("keydown", ({ key }) => {
    if (key === "Escape" && menu.open) {
      menu.open = false;
      menu.firstElementChild.focus();
    }
  });
}
