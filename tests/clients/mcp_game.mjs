// Plays games through the client of MCP's TypeScript SDK, version 1 or 2, and prints the results.
// Arguments: the version, the URL of the server, and the path of its command.

const MODULES = {
  1: [
    "@modelcontextprotocol/sdk/client/index.js",
    "@modelcontextprotocol/sdk/client/stdio.js",
    "@modelcontextprotocol/sdk/client/streamableHttp.js",
  ],
  2: ["@modelcontextprotocol/client", "@modelcontextprotocol/client/stdio"],
};

const [version, url, command] = process.argv.slice(2);
const modules = await Promise.all(MODULES[version].map((name) => import(name)));
const { Client, StdioClientTransport, StreamableHTTPClientTransport } = Object.assign({}, ...modules);

async function play(transport) {
  const client = new Client({ name: "game", version: "1.0.0" });
  await client.connect(transport);
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
  return {
    tools: tools.map(({ name }) => name),
    played: game.played,
    status: game.status,
    text: result.content[0].text.split("\n").at(-2),
    mistake: judged.structuredContent.mistake,
    error: invalid.content[0].text,
    board: board.contents[0].text.split("\n")[0],
  };
}

const overHttp = await play(new StreamableHTTPClientTransport(new URL(url)));
const overStdio = await play(new StdioClientTransport({ command, args: ["mcp"] }));
console.log(JSON.stringify([overHttp, overStdio]));
