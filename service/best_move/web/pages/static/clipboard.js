// Copying, which few views of the pages need.

/** Copy a text or, if the browser forbids it, select the element that shows the text; return the message to show. */
export async function copy(text, element) {
  try {
    await navigator.clipboard.writeText(text);
    return "Copied.";
  } catch {
    if (element) {
      getSelection().selectAllChildren(element);
      return "Selected. Press Ctrl+C or ⌘C.";
    }
    return "Copy it from the address bar.";
  }
}
