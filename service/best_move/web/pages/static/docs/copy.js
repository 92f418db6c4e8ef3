// The buttons that copy the code beside them.

import { copy } from "../clipboard.js";

for (const place of document.querySelectorAll(".code")) {
  const [button, note, code] = [".copy", ".note", "pre"].map((selector) => place.querySelector(selector));
  button.addEventListener("click", async () => {
    note.textContent = await copy(code.textContent, code);
    setTimeout(() => {
      note.textContent = "";
    }, 2_000);
  });
}
