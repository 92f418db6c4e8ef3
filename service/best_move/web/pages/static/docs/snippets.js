// A request as code to copy.

const FORMS = {
  curl: ({ url, body, isFile }) =>
    body === undefined
      ? `curl ${isFile ? "-O " : ""}${quotedUrl(url)}`
      : `curl ${quotedUrl(url)} \\\n  -H 'Content-Type: application/json' \\\n  -d ${quoted(body)}`,

  python({ url, body, isFile, isJson, isError }) {
    const { path, query } = parts(url);
    const target = query ? `"${path}?" + urlencode(query)` : json(path);
    const encoding = query ? "from urllib.parse import urlencode\n" : "";
    const fields = query ? `query = ${python(query)}\n` : "";
    if (isError) {
      return `import json
from urllib.error import HTTPError
${encoding}from urllib.request import urlopen

${fields}try:
    urlopen(${target})
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
request = Request(${target}, json.dumps(body).encode(), headers)
with urlopen(request) ${show}`;
    }
    const [imports, act] = isFile
      ? ["urlretrieve", `urlretrieve(${target}, "${new URL(url).pathname.split("/").at(-1)}")\n`]
      : ["urlopen", `with urlopen(${target}) ${show}`];
    return `${isJson ? "import json\n" : ""}${encoding}from urllib.request import ${imports}\n\n${fields}${act}`;
  },

  javascript({ url, body, isFile, isJson }) {
    const { path, query } = parts(url);
    const show = `console.log(await response.${isJson ? "json" : isFile ? "blob" : "text"}());\n`;
    if (body !== undefined) {
      return `const body = ${json(JSON.parse(body))};
const response = await fetch(${json(path)}, {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
});
${show}`;
    }
    return query
      ? `const query = new URLSearchParams(${json(query)});
const response = await fetch("${path}?" + query);
${show}`
      : `const response = await fetch(${json(path)});\n${show}`;
  },
};

/** A text quoted as one word for a shell. */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** A URL quoted as one word, also for cmd on Windows, unless a shell would read a character of it in double quotes. */
const quotedUrl = (url) => (/["$`\\!]/.test(url) ? quoted(url) : `"${url}"`);

/**
 * A URL as its `path` and the fields of its `query`. The `path` is the whole URL if there is no query, or if the query
 * repeats a name, because an object cannot.
 */
function parts(url) {
  const { href, origin, pathname, searchParams } = new URL(url);
  const query = Object.fromEntries(searchParams);
  const names = Object.keys(query);
  return names.length && names.length === searchParams.size ? { path: origin + pathname, query } : { path: href };
}

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
