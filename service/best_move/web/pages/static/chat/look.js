// The board's look, which the chat client sets. Properties that it has never set are those of base.css and chat.css.

import { write } from "../page.js";

/** The names of the page's custom properties, by the client's names for them. */
const OURS = {
  "--color-background-primary": "--surface",
  "--color-background-secondary": "--wash",
  "--color-text-primary": "--ink",
  "--color-text-secondary": "--soft",
  "--color-text-danger": "--loss",
  "--color-border-primary": "--edge",
  "--border-radius-md": "--radius",
  "--font-sans": "--font",
};

/** Apply the theme, colors, corners, font, insets and height of a host context, which may be partial. */
export function setLook({ theme, styles, safeAreaInsets, containerDimensions: room } = {}) {
  const { style } = document.documentElement;
  const height = room?.height ?? room?.maxHeight;
  for (const [name, value] of [
    ["color-scheme", theme],
    ...Object.entries(OURS).map(([theirs, ours]) => [ours, styles?.variables?.[theirs]]),
    ...Object.entries(safeAreaInsets ?? {}).map(([side, size]) => [`--inset-${side}`, `${size}px`]),
    ["--height", height && `${height}px`],
  ]) {
    if (value) {
      style.setProperty(name, value);
    }
  }
  if (styles?.css?.fonts) {
    write("fonts", styles.css.fonts);
  }
}
