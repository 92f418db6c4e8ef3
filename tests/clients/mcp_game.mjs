// Plays a game through the client of MCP's TypeScript SDK, version 1 or 2, and prints the results.
// Arguments: the version, and the URL of the server or the path of its command.

const [version, target] = process.argv.slice(2);
const isUrl = target.startsWith("http");
const command = { command: target, args: ["mcp"] };

async function connected() {
  const about = { name: "game", version: "1.0.0" };
  if (version === "1") {
    const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
    const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
    const { StreamableHTTPClientTransport } = await import(
      "@modelcontextprotocol/sdk/client/streamableHttp.js"
    );
    return connect(new Client(about), StreamableHTTPClientTransport, StdioClientTransport);
  }
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  return connect(new Client(about), StreamableHTTPClientTransport, StdioClientTransport);
}

async function connect(client, Http, Stdio) {
  await client.connect(isUrl ? new Http(new URL(target)) : new Stdio(command));
  return client;
}

const client = await connected();
const call = (name, sent) => client.callTool({ name, arguments: sent });
const { tools } = await client.listTools();
const { resources } = await client.listResources();
let game = { played: [], status: "in_progress" };
let result;
while (game.status === "in_progress") {
  const { played } = game;
  result = await call("best_move", { played, starts: "X", you: null, difficulty: null });
  game = result.structuredContent;
}
const judged = await call("judge_move", { played: [0, 1], starts: "X", player: "O" });
const invalid = await call("best_move", { played: [4, 4], starts: "X" });
const board = await client.readResource({ uri: resources[0].uri });
await client.close();
console.log(
  JSON.stringify({
    tools: tools.map(({ name }) => name),
    played: game.played,
    status: game.status,
    text: result.content[0].text.split("\n").at(-2),
    mistake: judged.structuredContent.mistake,
    error: invalid.content[0].text,
    board: board.contents[0].text.split("\n")[0],
  }),
);
