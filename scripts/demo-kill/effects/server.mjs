// An MCP server that pays, and loses replies: `node server.mjs TABLE NAME [errors]`. A payment is a row of
// the SQLite database TABLE, which no server changes. At random it then exits, closes its output, responds with an
// error, with garbage, too late or never. Sometimes it loses the reply before it pays, and sometimes it refuses.
// With `errors` it responds with `isError` to payments that it made.
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

const [file, server, option] = process.argv.slice(2);

const write = (text) => process.stdout.write(`${text}\n`);
const send = (message) => write(JSON.stringify({ jsonrpc: "2.0", ...message }));

const properties = {
  issue: { type: "string" },
  step: { type: "integer" },
  text: { type: "string" },
};
const tool = (name, readOnlyHint) => ({
  name,
  description: `The tool ${name}.`,
  inputSchema: { type: "object", properties, required: ["issue", "step"] },
  annotations: { readOnlyHint },
});
const result = (text, isError = false) => ({ content: [{ type: "text", text }], isError });

const database = new DatabaseSync(file, { timeout: 10_000 });
database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
database.exec(
  "CREATE TABLE IF NOT EXISTS payments (issue TEXT, step INTEGER, server TEXT, callId TEXT, idempotencyKey TEXT) STRICT",
);
database.exec("CREATE INDEX IF NOT EXISTS payments_issue ON payments (issue)");
const insert = database.prepare("INSERT INTO payments VALUES (?, ?, ?, ?, ?)");
const select = database.prepare("SELECT * FROM payments WHERE issue = ? AND step = ?");

/** Pays, durably: the row is on the disk before this returns. */
const pay = ({ issue, step }, { callId = null, idempotencyKey = null }) => {
  insert.run(issue, step, server, callId, idempotencyKey);
};

/** More than the time limit of a call, in milliseconds. */
const tooLate = 1_600;
const refused = result("The bank is closed.", true);

/** The fates of 200 calls. */
const fates = [
  [134, ({ id, paid }) => send({ id, result: paid }), "pays"],
  [12, ({ id }) => send({ id, error: { code: -32603, message: "Internal error" } }), "pays"],
  [6, () => write("]}garbage"), "pays"],
  [4, ({ id }) => send({ id, result: 7 }), "pays"],
  [6, () => {}, "pays"],
  [4, ({ id, paid }) => sleep(tooLate).then(() => send({ id, result: paid })), "pays"],
  [1, () => process.exit(1), "pays"],
  [1, () => process.stdout.destroy(), "pays"],
  [8, ({ id }) => send({ id, result: refused }), option === "errors" ? "pays" : "refuses"],
  [10, ({ id }) => send({ id, error: { code: -32602, message: "Not today" } }), "refuses"],
  [8, ({ id, paid }) => send({ id, result: paid }), "pays slowly"],
  [4, ({ id }) => send({ id, error: { code: -32603, message: "Internal error" } }), "refuses"],
  [1, () => sleep(tooLate), "pays too late"],
  [1, () => process.exit(1), "refuses"],
];

const call = async (message) => {
  let left = Math.floor(Math.random() * 200);
  const [, respond, act] = fates.find(([weight]) => (left -= weight) < 0);
  if (act === "pays slowly") await sleep(200);
  if (act === "pays too late") await sleep(tooLate);
  const context = message.params._meta?.["quartermaster/call"] ?? {};
  if (act !== "refuses") pay(message.params.arguments, context);
  respond({ id: message.id, paid: result(`Paid. Receipt ${context.callId}`) });
};

const find = ({ issue, step }) => result(JSON.stringify(select.all(issue, step)));

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    serverInfo: { name: "payments", version: "1" },
    capabilities: { tools: {} },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools: [tool("pay", false), tool("find", true)] }),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  const { id, method, params } = message;
  if (id === undefined) return;
  if (method === "tools/call" && params.name === "pay") return void call(message);
  if (method === "tools/call") return send({ id, result: find(params.arguments) });
  const handle = methods[method];
  if (handle === undefined) return send({ id, error: { code: -32601, message: "Unknown method" } });
  send({ id, result: handle(params) });
});
