// The reference: each call may be changed and sent from where it stands.

for (const form of document.querySelectorAll(".call")) {
  const { example, text } = form.elements;
  const fill = () => {
    text.value = example.value;
  };
  example?.addEventListener("change", fill);
  if (text && !text.value) {
    fill();
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form, text?.value ?? "");
  });
}

/** Send the call of a form as it stands, and show whatever comes back. */
async function send(form, text) {
  const { method } = form.dataset;
  const path = `.${form.dataset.path}`; // a path of the contract, relative to this page
  const [note, answer] = [form.querySelector("[role=status]"), form.querySelector("pre")];
  note.textContent = "Sending …";
  try {
    const response = await (method === "GET"
      ? fetch(text ? `${path}?${text.trim()}` : path)
      : fetch(path, { method, headers: { "Content-Type": "application/json" }, body: text }));
    const type = response.headers.get("Content-Type") ?? "";
    const body = type.startsWith("image/png") ? "A picture." : indented(await response.text());
    note.textContent = `${response.status} ${type}`;
    answer.textContent = body;
  } catch {
    note.textContent = "No connection: the service does not answer.";
    answer.textContent = "";
  }
  answer.hidden = !answer.textContent;
}

function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
