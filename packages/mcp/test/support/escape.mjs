// A server that tries to escape: each tool is an attempt, and its result is the outcome.
import { spawn, spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { createInterface } from "node:readline";

const builtin = (name) =>
  process.getBuiltinModule(name) ??
  (() => {
    throw Object.assign(new Error(name), { code: "ERR_UNKNOWN_BUILTIN_MODULE" });
  })();

const attempts = {
  read: ({ path }) => readFileSync(path, "utf8").trim(),
  write: ({ path }) => writeFileSync(path, "escaped"),
  parent: () => readFileSync(`/proc/${process.ppid}/environ`, "utf8"),
  variable: ({ name }) => process.env[name],
  /**
   * Ways around the permission model of Node.js, each with the file that it would read, write or
   * run.
   */
  database: ({ path }) => {
    const { DatabaseSync } = builtin("node:sqlite");
    new DatabaseSync(path).exec("CREATE TABLE escaped (x)");
  },
  worker: ({ path }) => {
    const { Worker } = builtin("node:worker_threads");
    const script = `const { parentPort } = require("node:worker_threads");
      parentPort.postMessage(require("node:fs").readFileSync(${JSON.stringify(path)}, "utf8"));`;
    return new Promise((resolve, reject) => {
      // Without `execArgv` a worker thread has no permission model.
      const worker = new Worker(script, { eval: true, execArgv: [] });
      worker.on("message", resolve).on("error", reject);
    });
  },
  wasi: ({ path }) => {
    const { WASI } = builtin("node:wasi");
    return new WASI({ version: "preview1", preopens: { "/": path } });
  },
  inspector: () => {
    const session = new (builtin("node:inspector").Session)();
    session.connect();
  },
  binding: () => void process.binding("fs"),
  native: ({ path }) => process.dlopen({ exports: {} }, path),
  engine: ({ path }) => builtin("node:crypto").setEngine(path),
  execve: ({ path }) => process.execve(path, [path]),
  variables: ({ path }) => process.loadEnvFile(path),
  report: ({ path }) => process.report.writeReport(path),
  snapshot: ({ path }) => builtin("node:v8").writeHeapSnapshot(path),
  options: ({ path }) => builtin("node:v8").setFlagsFromString(`--logfile=${path}`),
  traces: () =>
    builtin("node:trace_events")
      .createTracing({ categories: ["node"] })
      .enable(),
  hooks: () => builtin("node:module").register("data:text/javascript,export {}"),
  link: ({ path }) => builtin("node:fs").symlinkSync(path, `${process.env.HOME}/link`),
  folder: ({ path }) => process.chdir(path.replace(/\/[^/]*$/, "")),
  watch: ({ path }) => builtin("node:fs").watch(path).close(),
  blob: async ({ path }) => (await builtin("node:fs").openAsBlob(path)).text(),
  signal: ({ pid }) => process.kill(pid, 0),
  unix: ({ path }) =>
    new Promise((resolve, reject) => {
      const socket = connect(path, () => resolve("connected"));
      socket.on("error", reject);
    }),
  namespace: () => {
    const { error, status, stderr } = spawnSync("unshare", ["--user", "true"], {
      encoding: "utf8",
    });
    if (error) throw error;
    return status === 0 ? "" : stderr.trim();
  },
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
