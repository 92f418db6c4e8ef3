// A GET request as code to copy.

const FORMS = {
  curl: ({ url }) => `curl '${url}'`,

  python: ({ question, url }) => `import json
from urllib.parse import urlencode
from urllib.request import urlopen

query = ${JSON.stringify(question, null, 4)}
with urlopen("${endpoint(url)}?" + urlencode(query)) as response:
    answer = json.load(response)
print(answer["move"])
`,

  javascript: ({ question, url }) => `const query = ${JSON.stringify(question, null, 2)};
const url = "${endpoint(url)}?" + new URLSearchParams(query);
const answer = await (await fetch(url)).json();
console.log(answer.move);
`,
};

const endpoint = (url) => url.split("?")[0];

/** Return a request, its query as an object and as a URL, in a form: curl, python or javascript. */
export function snippet(form, request) {
  return FORMS[form](request);
}
