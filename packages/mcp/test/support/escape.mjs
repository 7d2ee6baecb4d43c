// A server that tries to escape: each tool is an attempt, and its result says how it went.
import { spawn, spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { createInterface } from "node:readline";

const attempts = {
  read: ({ path }) => readFileSync(path, "utf8").trim(),
  write: ({ path }) => writeFileSync(path, "escaped"),
  parent: () => readFileSync(`/proc/${process.ppid}/environ`, "utf8"),
  run: ({ path }) => {
    const { error, stdout } = spawnSync("/bin/cat", [path], { encoding: "utf8" });
    if (error) throw error;
    return stdout.trim();
  },
  socket: ({ port }) =>
    new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1", () => resolve("connected"));
      socket.on("error", reject);
    }),
  /** Processes that leave the group, the session and the parent, named by their argument. */
  leave: ({ seconds }) => {
    const stdio = "ignore";
    spawn("/bin/sleep", [seconds], { detached: true, stdio }).unref();
    const twice = `setsid /bin/sh -c '/bin/sleep ${seconds} & exit' &`;
    spawnSync("/bin/sh", ["-c", twice], { stdio });
  },
  file: ({ bytes }) => {
    const path = `${process.env.HOME}/large`;
    writeFileSync(path, "");
    truncateSync(path, bytes);
  },
  memory: ({ bytes }) => `${Buffer.allocUnsafeSlow(bytes).length}`,
  files: ({ count }) => {
    const open = [];
    try {
      while (open.length < count) open.push(openSync(process.argv[1]));
    } finally {
      for (const file of open) closeSync(file);
    }
  },
  processes: ({ count }) => {
    const script = `i=0; while [ $i -lt ${count} ]; do sleep 20 & i=$((i+1)); done; echo $i`;
    const { stdout } = spawnSync("/bin/sh", ["-c", script], { encoding: "utf8", timeout: 15_000 });
    return stdout.trim();
  },
};

const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") {
    const { protocolVersion } = params;
    const serverInfo = { name: "escape", version: "1.0.0" };
    send({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo } });
  } else if (method === "tools/list") {
    const tools = Object.keys(attempts).map((name) => ({ name, inputSchema: { type: "object" } }));
    send({ id, result: { tools } });
  } else if (method === "tools/call") {
    let text = "";
    try {
      text = `ok ${(await attempts[params.name](params.arguments)) ?? ""}`.trim();
    } catch (error) {
      text = error.code ?? error.message;
    }
    send({ id, result: { content: [{ type: "text", text }] } });
  }
});
