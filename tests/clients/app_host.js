// A chat client in a page, made of the protocol's own client and of the host side of MCP Apps: it calls a tool, and
// shows the app that the tool names. It is bundled by its test, which drives it.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { AppBridge, getToolUiResourceUri, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

//  What a client must enforce for an app that declares no domains.
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "media-src 'self' data:; connect-src 'none'; frame-src 'none'; base-uri 'self'; object-src 'none'";
const ABOUT = { name: "test-host", version: "1.0.0" };

const client = new Client(ABOUT);
await client.connect(new StreamableHTTPClientTransport(new URL(new URLSearchParams(location.search).get("mcp"))));
const { tools } = await client.listTools();

/** What the app has sent, and what the test may change: `broken` fails its calls, `changed` replaces arguments. */
const seen = { calls: [], contexts: [], heights: [], broken: null, changed: {} };

/** Call a tool as a model does, and show its app with the result. */
async function show(name, sent, theme) {
  const uri = getToolUiResourceUri(tools.find((tool) => tool.name === name));
  const { contents } = await client.readResource({ uri });
  const head = `<head><meta http-equiv="Content-Security-Policy" content="${POLICY}">`;
  const frame = document.createElement("iframe");
  frame.sandbox = "allow-scripts";
  frame.srcdoc = contents[0].text.replace("<head>", head);
  document.body.replaceChildren(frame);
  const bridge = new AppBridge(null, ABOUT, { serverTools: {}, updateModelContext: { text: {} } }, { hostContext: { theme } });
  bridge.oncalltool = (call) => {
    seen.calls.push(call.arguments);
    if (seen.broken) {
      throw new Error(seen.broken);
    }
    return client.callTool({ ...call, arguments: { ...call.arguments, ...seen.changed } });
  };
  bridge.onupdatemodelcontext = ({ content }) => {
    seen.contexts.push(content[0].text);
    return {};
  };
  bridge.addEventListener("sizechange", ({ height }) => {
    seen.heights.push(height);
    frame.style.height = `${height}px`;
  });
  const isReady = new Promise((resolve) => bridge.addEventListener("initialized", resolve));
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  await isReady;
  bridge.sendToolInput({ arguments: sent });
  bridge.sendToolResult(await client.callTool({ name, arguments: sent }));
  window.bridge = bridge;
}

Object.assign(window, { seen, show });
