import { variables } from "./Variables.ts";

export const quartermaster = "Issue tracking and MCP server management for autonomous agents.";

const width = Math.max(...Object.keys(variables).map((name) => name.length)) + 2;

/** The text of `serve --help`: every variable with its default. */
export const serve = [
  "Run the server until SIGTERM or SIGINT. Environment variables configure it:",
  "",
  ...Object.entries(variables).map(
    ([name, { default: value, meaning }]) =>
      `  ${name.padEnd(width)}${meaning}${value === null ? "" : ` (${value})`}`,
  ),
].join("\n");

/** The text of `rotate-key --help`. */
export const rotateKey = [
  "Encrypt the secrets of all MCP servers under the newest master key.",
  "",
  "Without QM_SECRET_KEY it creates a new key in QM_DATA_DIR. The old key stays beside it until no",
  "secret needs it. A server that runs on the directory needs no restart.",
  "",
  "With QM_SECRET_KEY: put the new key before the old one, with a comma, and restart every server;",
  "then run this with the same value, and remove the old key.",
  "",
  "If it stops before it finishes, run it again.",
].join("\n");

/** The text of `migrate --help`. */
export const migrate = [
  "Create the schema of Quartermaster in the database of QM_DATABASE_URL, or update it to this version.",
  "",
  "It prints what it did, and exits with 0 also if there was nothing to do. A server does the same when",
  "it starts. Use this command if the user of the servers may not create tables.",
  "",
  "With --from sqlite:DIR it also moves the service of a data directory, whose servers are stopped, to",
  "an empty schema: everything except folders of MCP servers, which it names. It prints each table with the",
  "count and the digest of its rows, which are equal on both sides. Secrets are encrypted under the newest key of",
  "QM_SECRET_KEY. If it is interrupted, no server starts on the schema: run it again, and it continues.",
].join("\n");

export const mcp = [
  "Speak MCP over stdio, for agent hosts that do not speak HTTP.",
  "",
  "Forwards messages to the endpoint /mcp of a Quartermaster server, with the key of one agent.",
  "Only messages are written to stdout. It exits with 0 when its input ends, with 4 when the server does",
  "not accept the key, and with 2 when the key is not an agent's. stderr says why.",
  "",
  "Default of --url and --key-file: QM_URL and QM_KEY, then the stored login.",
].join("\n");
