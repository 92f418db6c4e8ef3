// A chat client in a page, built from the client of MCP's SDK and the host side of MCP Apps: it calls a tool, and shows
// the app that the tool names. A test bundles this page and controls it.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { AppBridge, getToolUiResourceUri, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

//  The policy that a client must enforce for an app that declares no domains.
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "media-src 'self' data:; connect-src 'none'; frame-src 'none'; base-uri 'self'; object-src 'none'";
const ABOUT = { name: "test-host", version: "1.0.0" };

const client = new Client(ABOUT);
await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", location.href)));
const { tools } = await client.listTools();

//  The arguments of the app's calls, its texts for the model, and the error of every call, which a test may set.
const seen = {};
const CAPABILITIES = { serverTools: {}, updateModelContext: { text: {} } };

/** Remove all apps, and give `seen` its initial values. */
function reset() {
  document.body.replaceChildren();
  Object.assign(seen, { calls: [], contexts: [], broken: null });
}

/**
 * Call a tool as a model does, and show its app with the result, instead of other apps. If `canceled` is given, the call
 * is canceled for this reason. If `redraws` is true, the chat is drawn again before and after each call of the app, and
 * the result, which is stored as text, is sent again each time.
 */
async function show(name, sent, { context, capabilities = CAPABILITIES, canceled, redraws } = {}) {
  const uri = getToolUiResourceUri(tools.find((tool) => tool.name === name));
  const { contents } = await client.readResource({ uri });
  const head = `<head><meta http-equiv="Content-Security-Policy" content="${POLICY}">`;
  const frame = document.createElement("iframe");
  frame.sandbox = "allow-scripts";
  frame.srcdoc = contents[0].text.replace("<head>", head);
  document.body.replaceChildren(frame);
  const { calls, contexts } = seen; // an app that was removed writes into lists that nobody reads
  const bridge = new AppBridge(null, ABOUT, capabilities, { hostContext: context });
  let stored;
  const draw = () => bridge.sendToolResult(JSON.parse(stored));
  if (capabilities.serverTools) {
    bridge.oncalltool = async (call) => {
      calls.push(call.arguments);
      if (seen.broken) {
        throw new Error(seen.broken);
      }
      if (!redraws) {
        return client.callTool(call);
      }
      draw();
      const result = await client.callTool(call);
      setTimeout(draw);
      return result;
    };
  }
  bridge.onupdatemodelcontext = ({ content }) => {
    contexts.push(content[0].text);
    return {};
  };
  bridge.addEventListener("sizechange", ({ height }) => {
    frame.style.height = `${Math.min(height, context?.containerDimensions?.maxHeight ?? height)}px`;
  });
  const isReady = new Promise((resolve) => bridge.addEventListener("initialized", resolve));
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  await isReady;
  bridge.sendToolInput({ arguments: sent });
  window.bridge = bridge;
  if (canceled === undefined) {
    stored = JSON.stringify(await client.callTool({ name, arguments: sent }));
    draw();
  } else {
    bridge.sendToolCancelled({ reason: canceled });
  }
}

Object.assign(window, { seen, reset, show });
