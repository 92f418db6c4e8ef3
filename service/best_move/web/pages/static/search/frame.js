// The frame around the drawing: its scale, its visible part, and navigation through its nodes by pointer and keyboard.

// Scales of the drawing. A tree that does not fit at the smallest scale is scrolled instead, at the usual scale.
const MOST = 1.6;
const USUAL = 0.8;
const LARGEST = 4; // by zoom
const MEDIUM = 0.8; // the lowest scale at which all scores of boards are legible
const LARGE = { short: 1, long: 1.3 }; // the lowest scales at which scores of small squares have room
const ZOOM = 1.25;

export class Frame {
  #place;
  #size = null; // the frame's size, once it is known
  #tree;
  #drawing = null;
  #scale = 1;
  #chosen = null; // the scale chosen by zooming; null if there is none, 0 to fit the drawing into the frame
  #followed = null;

  /** `select(path)` is called to select a node, `unfold(node)` to show the nodes left out below it. */
  constructor(place, { select, unfold }) {
    this.#place = place;
    new ResizeObserver(([{ contentRect }]) => {
      this.#size = contentRect;
      this.#fit();
    }).observe(place);
    place.addEventListener("scroll", () => this.#keepInSight());
    addEventListener("beforeprint", () => this.#release());
    addEventListener("afterprint", () => this.#keepInSight());
    place.addEventListener("keydown", (event) => this.#press(event, select, unfold));
    place.addEventListener("click", ({ target }) => {
      const path = target.closest(".node")?.dataset.path;
      if (path !== undefined) {
        select(path);
        unfold(this.#tree.at(path));
      }
    });
  }

  show(tree, drawing) {
    if (tree !== this.#tree && !tree.keepsZoom) {
      this.#chosen = null;
    }
    const before = tree.kind === this.#tree?.kind ? this.#drawing?.svg : null;
    if (before) {
      before.replaceWith(drawing.svg);
    } else {
      this.#place.replaceChildren(drawing.svg);
    }
    this.#tree = tree;
    this.#drawing = drawing;
    this.#followed = null;
    this.#fit();
  }

  /** Show other content, such as the reason why there is no drawing. */
  fill(...nodes) {
    this.#drawing = null;
    this.#place.replaceChildren(...nodes);
  }

  /** Zoom the drawing in or out by a number of steps; 0 fits it into the frame. */
  zoom(steps) {
    this.#chosen = steps ? this.#scale * ZOOM ** steps : 0;
    this.#fit();
  }

  /** Scroll a node into view, now and whenever the size of the frame or the scale changes. */
  follow(node) {
    this.#followed = node;
    if (this.#size && !this.#isWhole) {
      const { x, y } = this.#tree.standIn(node);
      const { width, height } = this.#size;
      this.#place.scrollLeft = near(this.#place.scrollLeft, x * this.#scale, width);
      this.#place.scrollTop = near(this.#place.scrollTop, y * this.#scale, height);
    }
  }

  /** Call a function while the root and the names of the plies are where they are unscrolled; return its result. */
  unscrolled(act) {
    this.#release();
    const result = act();
    this.#keepInSight();
    return result;
  }

  /** The highest scale, up to `MOST`, at which the whole drawing is visible. */
  get #fitting() {
    return Math.min(this.#size.width / this.#drawing.width, this.#highest, MOST);
  }

  /** The highest scale at which the frame is high enough; a frame that fits its drawing has only a maximum height. */
  get #highest() {
    const most = Number.parseFloat(getComputedStyle(this.#place).maxHeight) - 2; // without its borders
    return (most || this.#size.height) / this.#drawing.height;
  }

  get #isWhole() {
    return this.#scale === this.#fitting;
  }

  #fit() {
    if (this.#drawing && this.#size) {
      const { svg, width, height } = this.#drawing;
      const { hasLongScores } = this.#tree;
      const least = this.#tree.least * (this.#tree.fields ? textScale() : 1);
      const fitting = this.#fitting;
      const usual = Math.max(least, Math.min(USUAL, this.#highest));
      const wanted = this.#chosen ?? (fitting < least ? usual : fitting);
      this.#scale = Math.min(Math.max(wanted, fitting), LARGEST);
      svg.setAttribute("width", Math.floor(width * this.#scale));
      svg.setAttribute("height", Math.floor(height * this.#scale));
      svg.style.setProperty("--unit", 1 / this.#scale);
      svg.classList.toggle("medium", this.#scale >= MEDIUM);
      svg.classList.toggle("large", this.#scale >= (hasLongScores ? LARGE.long : LARGE.short));
      if (this.#followed) {
        this.follow(this.#followed);
      }
      this.#keepInSight();
    }
  }

  #keepInSight() {
    if (this.#drawing && this.#size && !this.#isWhole && !matchMedia("print").matches) {
      const left = this.#place.scrollLeft / this.#scale;
      this.#drawing.keepInSight(left, left + this.#size.width / this.#scale);
    } else {
      this.#release();
    }
  }

  #release() {
    this.#drawing?.keepInSight(0, this.#drawing.width);
  }

  /** Move through the tree by keys: down to the first child, up to the parent, and sideways along a ply. */
  #press(event, select, unfold) {
    const path = event.target.closest(".node")?.dataset.path;
    const node = path === undefined ? null : this.#tree.at(path);
    if (!node || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const ply = this.#tree.nodes.filter((each) => each.ply === node.ply);
    const reached = {
      ArrowDown: () => node.drawn[0],
      ArrowUp: () => node.parent,
      ArrowRight: () => ply[ply.indexOf(node) + 1],
      ArrowLeft: () => ply[ply.indexOf(node) - 1],
      Home: () => this.#tree.root,
      End: () => ply.at(-1),
      Enter: () => node,
      " ": () => node,
    }[event.key];
    if (!reached) {
      return;
    }
    event.preventDefault();
    const next = reached();
    if (next && next !== node) {
      select(next.path);
      this.#drawing.at(next.path).focus({ preventScroll: true });
    } else if (["ArrowDown", "Enter", " "].includes(event.key)) {
      unfold(node);
    }
  }
}

/** How many times as large as usual the text is, and so the fields of an exercise. */
const textScale = () => (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16) / 16;

/** The scroll position that shows a place: the present one if the place is visible, else one that centers it. */
function near(scrolled, place, size) {
  const margin = Math.min(60, size / 4);
  const isInSight = place >= scrolled + margin && place <= scrolled + size - margin;
  return isInSight ? scrolled : place - size / 2;
}
