// The connection to the chat client around the board: JSON-RPC over postMessage, as in MCP Apps, revision 2026-01-26.

const REVISION = "2026-01-26";

export class Host {
  #handlers;
  #waiting = new Map();
  #id = 0;

  /** `handlers` maps the name of a notification to a function, which is called with the notification's parameters. */
  constructor(handlers) {
    this.#handlers = handlers;
    addEventListener("message", ({ source, data }) => {
      if (source === parent && data?.jsonrpc === "2.0") {
        this.#receive(data);
      }
    });
  }

  /** Initialize the connection; return the result, which has the client's capabilities and context. */
  async connect() {
    const result = await this.request("ui/initialize", {
      appInfo: { name: "best-move-board", version: "1.0.0" },
      appCapabilities: { availableDisplayModes: ["inline"] },
      protocolVersion: REVISION,
    });
    this.notify("ui/notifications/initialized", {});
    return result;
  }

  /** Send a request; return its result. An error is returned in the form of a failed tool's result. */
  request(method, params) {
    this.#id += 1;
    const id = this.#id;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      send({ id, method, params });
    });
  }

  notify(method, params) {
    send({ method, params });
  }

  #receive({ id, method, params, result, error }) {
    if (method === undefined) {
      this.#waiting.get(id)?.(error ? failed(error) : (result ?? {}));
      this.#waiting.delete(id);
    } else if (id === undefined) {
      this.#handlers[method]?.(params ?? {});
    } else if (method === "ping" || method === "ui/resource-teardown") {
      send({ id, result: {} });
    } else {
      send({ id, error: { code: -32601, message: `Unknown method: ${method}.` } });
    }
  }
}

const failed = ({ message }) => ({ isError: true, content: [{ type: "text", text: message }] });

const send = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
