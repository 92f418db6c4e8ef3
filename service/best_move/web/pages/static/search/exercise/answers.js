// The answers of an exercise, which the URL has as text, such as `v3_1v2_1.2x`.

const PARTS = { value: "v", alpha: "a", beta: "b", cut: "x" };
const LONGEST = 12; // characters of an answer

const keyOf = ({ path }, part) => path.replaceAll(",", ".") + PARTS[part];

export class Answers {
  #texts = new Map(); // by key, which is a path and the letter of a part

  /** Read answers from a text that `with` returned. */
  constructor(text = "") {
    for (const [, key, answer] of text.matchAll(/([\d.]*[abvx])([^_]*)/g)) {
      this.#texts.set(key, answer);
    }
  }

  /** The text typed for the `value`, the `alpha` or the `beta` of a node; empty if there is none. */
  of(node, part) {
    return this.#texts.get(keyOf(node, part)) ?? "";
  }

  /** Whether the branch that leads to a node is cut. */
  isCut(node) {
    return this.#texts.has(keyOf(node, "cut"));
  }

  /** Whether the branch to a node is cut, or one above it. */
  isOut(node) {
    return node !== null && (this.isCut(node) || this.isOut(node.parent));
  }

  /** All answers with another one, as text; an empty answer or `false` removes it. */
  with(node, part, answer) {
    const texts = new Map(this.#texts);
    texts.delete(keyOf(node, part));
    if (answer) {
      texts.set(keyOf(node, part), answer === true ? "" : answer.replaceAll("_", "").slice(0, LONGEST));
    }
    return [...texts].map((entry) => entry.join("")).join("_");
  }
}

// What may be typed for a score, with the bound that it says.
const FORMS = [
  [/^(?:<=?|≤)(.+)$/, "at_most"],
  [/^(.+)or less$/, "at_most"],
  [/^(?:>=?|≥)(.+)$/, "at_least"],
  [/^(.+)or more$/, "at_least"],
  [/^(.+)$/, ""],
];
const SCORE = /^([+-]?)(\d+|∞|inf)$/;

/**
 * A score as it is typed, such as `2`, `≤ 2`, `>=2`, `2 or less` or `-inf`: its `number`, which is null if the text is
 * blank and NaN if it is no score, and its `bound`, which is empty if it has none. `unit` is the score shown as 1.
 */
export function readScore(text, unit) {
  const plain = text.toLowerCase().replace(/[−–]/g, "-").trim();
  const [form, bound] = FORMS.find(([each]) => each.test(plain)) ?? [];
  if (!form) {
    return { number: null, bound: "" };
  }
  const [, sign, size] = SCORE.exec(form.exec(plain)[1].trim()) ?? [];
  const amount = /\d/.test(size) ? Number(size) * unit : Number.POSITIVE_INFINITY;
  const number = sign === "-" ? -amount : amount;
  return { number: size ? number : Number.NaN, bound };
}
