// The built server on a free port, with a folder of its own and an agent's key.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { end, scratch, start } from "./processes.mjs";

export const bin = join(import.meta.dirname, "../../packages/http/bin/quartermaster.js");

/** Gives a running server to the body, and ends it after that. */
export const withServer = async (body) => {
  const server = start(process.execPath, [bin, "serve"], {
    env: {
      PATH: process.env.PATH,
      QM_PORT: "0",
      QM_DATA_DIR: join(scratch, "data"),
      QM_LOG: "json",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const { ownerKeyFile, url } = await welcome(server);
    const answer = await fetch(`${url}/api/keys`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${readFileSync(ownerKeyFile, "utf8").trim()}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ name: "CI", role: "Editor", agentId: "ci" }),
    });
    const { key } = await answer.json();
    await body({ url, key });
  } finally {
    await end(server);
  }
};

const welcome = (server) =>
  new Promise((resolve, reject) => {
    createInterface(server.stdout).on("line", (line) => {
      const said = JSON.parse(line);
      if (said.ownerKeyFile !== undefined) resolve(said);
    });
    server.once("exit", (code) => reject(new Error(`The server ended with ${code}.`)));
  });
