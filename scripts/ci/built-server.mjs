// The built server on a free port, with a separate folder and an agent's key.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { end, scratch, start } from "./processes.mjs";

export const bin = join(import.meta.dirname, "../../packages/server/bin/quartermaster.js");

let servers = 0;

/**
 * Runs the body with a running server, its folder, an agent's key, and a function that sends
 * requests as the Owner. Stops the server after the body, and returns its exit code.
 */
export const withServer = async (
  body,
  { command = [process.execPath, bin], name = "data" } = {},
) => {
  const [program, ...args] = command;
  const dataDir = join(scratch, name);
  const server = start(program, [...args, "serve"], {
    env: {
      // Includes npm's settings of the registry and its certificates.
      ...process.env,
      QM_PORT: "0",
      QM_DATA_DIR: dataDir,
      QM_LOG: "json",
      // Each server has a schema, if the environment names a database.
      QM_DATABASE_SCHEMA: `server_${++servers}`,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const { ownerKeyFile, url } = await welcome(server);
    const ask = asker(url, readFileSync(ownerKeyFile, "utf8").trim());
    const { key } = await ask("POST", "/api/keys", { name: "CI", role: "Editor", agentId: "ci" });
    await body({ url, key, ask, dataDir });
  } finally {
    await end(server);
  }
  return server.exitCode;
};

/** Sends a request with a key and returns the JSON. Throws for an error status. */
export const asker =
  (url, key, headers = {}) =>
  async (method, path, body) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(240_000),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${text}`);
    return text === "" ? null : JSON.parse(text);
  };

const welcome = (server) =>
  new Promise((resolve, reject) => {
    createInterface(server.stdout).on("line", (line) => {
      const said = JSON.parse(line);
      if (said.ownerKeyFile !== undefined) resolve(said);
    });
    server.once("exit", (code) => reject(new Error(`The server ended with ${code}.`)));
  });
