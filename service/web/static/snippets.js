// A call that the page made, as code to take away.

export const FORMS = {
  curl: ({ url }) => `curl '${url}'`,

  python: ({ question, url }) => `import json
from urllib.parse import urlencode
from urllib.request import urlopen

question = ${JSON.stringify(question, null, 4)}
with urlopen("${endpoint(url)}?" + urlencode(question)) as response:
    answer = json.load(response)
print(answer["move"])
`,

  javascript: ({ question, url }) => `const question = ${JSON.stringify(question, null, 2)};
const url = "${endpoint(url)}?" + new URLSearchParams(question);
const answer = await (await fetch(url)).json();
console.log(answer.move);
`,
};

/** An answer as JSON, with lists of cells on one line. */
export function json({ answer }) {
  return JSON.stringify(answer, null, 2).replace(/\[[\s\d,]+\]/g, (list) =>
    list.replace(/\s+/g, " ").replace("[ ", "[").replace(" ]", "]"),
  );
}

/** Copy a text, or where the browser does not let a page do so, select it. */
export async function copy(element) {
  try {
    await navigator.clipboard.writeText(element.textContent);
    return "Copied.";
  } catch {
    getSelection().selectAllChildren(element);
    return "Selected: now copy it with the keyboard.";
  }
}

const endpoint = (url) => url.split("?")[0];
