// The chat client around the board, which speaks JSON-RPC by postMessage: MCP Apps, revision 2026-01-26.

const REVISION = "2026-01-26";

/** An error that the chat client reports. */
export class HostError extends Error {}

export class Host {
  #handlers;
  #waiting = new Map();
  #id = 0;

  /** `handlers` are called with the parameters of the notifications that they are named after. */
  constructor(handlers) {
    this.#handlers = handlers;
    addEventListener("message", ({ source, data }) => {
      if (source === parent && data?.jsonrpc === "2.0") {
        this.#receive(data);
      }
    });
  }

  /** Introduce the board; return what the client tells about itself. */
  async connect() {
    const result = await this.request("ui/initialize", {
      appInfo: { name: "best-move-board", version: "1.0.0" },
      appCapabilities: { availableDisplayModes: ["inline"] },
      protocolVersion: REVISION,
    });
    this.notify("ui/notifications/initialized", {});
    return result;
  }

  /** Send a request; return its result or throw a HostError. It may take long, because clients may ask the user first. */
  request(method, params) {
    this.#id += 1;
    const id = this.#id;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      send({ id, method, params });
    });
  }

  notify(method, params) {
    send({ method, params });
  }

  #receive({ id, method, params, result, error }) {
    if (method === undefined) {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error) {
        waiting?.reject(new HostError(error.message));
      } else {
        waiting?.resolve(result);
      }
    } else if (id === undefined) {
      this.#handlers[method]?.(params);
    } else if (method === "ping" || method === "ui/resource-teardown") {
      send({ id, result: {} });
    } else {
      send({ id, error: { code: -32601, message: `Unknown method: ${method}.` } });
    }
  }
}

const send = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
