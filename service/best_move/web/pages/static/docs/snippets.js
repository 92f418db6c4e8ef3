// A request as code to copy.

const FORMS = {
  curl: ({ url, body, isFile }) =>
    body === undefined
      ? `curl ${isFile ? "-O " : ""}${quoted(url)}`
      : `curl ${quoted(url)} \\\n  -H 'Content-Type: application/json' \\\n  -d ${quoted(body)}`,

  python({ url, body, isFile, isJson, isError }) {
    const [path, query] = url.split("?");
    if (isError) {
      return `import json
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import urlopen

query = ${python(fields(query))}
try:
    urlopen("${path}?" + urlencode(query))
except HTTPError as error:
    print(json.load(error)["detail"])
`;
    }
    const read = isJson ? "json.load(response)" : "response.read().decode()";
    const show = `as response:\n    print(${read})\n`;
    if (body !== undefined) {
      return `import json
from urllib.request import Request, urlopen

body = ${python(JSON.parse(body))}
headers = {"Content-Type": "application/json"}
request = Request("${path}", json.dumps(body).encode(), headers)
with urlopen(request) ${show}`;
    }
    const [name, call, imports] = isFile
      ? [`, "${path.split("/").at(-1)}")\n`, "urlretrieve(", "urlretrieve"]
      : [`) ${show}`, "with urlopen(", "urlopen"];
    return `${isJson ? "import json\n" : ""}${query ? "from urllib.parse import urlencode\n" : ""}from urllib.request import ${imports}

${query ? `query = ${python(fields(query))}\n` : ""}${call}"${path}${query ? '?" + urlencode(query)' : '"'}${name}`;
  },

  javascript({ url, body, isFile, isJson }) {
    const [path, query] = url.split("?");
    const show = `console.log(await response.${isJson ? "json" : isFile ? "blob" : "text"}());\n`;
    if (body !== undefined) {
      return `const body = ${json(JSON.parse(body))};
const response = await fetch("${path}", {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
});
${show}`;
    }
    return query
      ? `const query = new URLSearchParams(${json(fields(query))});
const response = await fetch("${path}?" + query);
${show}`
      : `const response = await fetch("${path}");\n${show}`;
  },
};

/** A text quoted as one word for a shell. */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

const fields = (query) => Object.fromEntries(new URLSearchParams(query));

const json = (value) => JSON.stringify(value, null, 2);

/** A JSON value as Python code, in which only the constants differ from JSON. */
const python = (value) =>
  JSON.stringify(value, null, 4).replace(
    /"(?:[^"\\]|\\.)*"|true|false|null/g,
    (token) => ({ true: "True", false: "False", null: "None" })[token] ?? token,
  );

/**
 * Return a request as code: `curl`, `python` or `javascript`. The last two throw if the body is not JSON. `isError` is
 * whether the query is the example of an error, which Python programs have to catch.
 */
export const snippet = (language, { url, body, media, isError }) =>
  FORMS[language]({ url, body, isJson: media === "application/json", isFile: !/json|plain/.test(media), isError });
