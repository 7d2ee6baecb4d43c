// Asks npm for every node package of the catalogue, installs and starts each with dummy
// credentials, lists its tools, and writes docs/catalogue-report.md: what was seen.
// Fails when a package is not there, its integrity differs or its program is missing.
import { Catalog, CatalogEntry } from "@quartermaster/core";
import { Effect } from "effect";
import { execFile, spawn } from "node:child_process";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify, stripVTControlCharacters } from "node:util";

const report = new URL("../docs/catalogue-report.md", import.meta.url);
const deadlineMillis = 60_000;
const atOnce = 2;

interface Seen {
  readonly entry: CatalogEntry.CatalogEntry;
  readonly pinned: string;
  integrity: string;
  program: string;
  engines: string;
  size: string;
  started: string;
  tools: string;
  note: string;
  broken: boolean;
}

const run = promisify(execFile);
const path = [dirname(process.execPath), process.env["PATH"]].join(delimiter);
const npm = (args: ReadonlyArray<string>, cwd?: string) =>
  run("npm", args, {
    cwd,
    env: { ...process.env, PATH: path },
    maxBuffer: 64 << 20,
    timeout: 300_000,
  });

/** Without what is this machine's own: the folder, and addresses of name servers. */
const withoutHost = (text: string, folder: string) =>
  text.replaceAll(folder, "...").replaceAll(/ on \d+\.[\d.:]+/g, "");

/** One line that fits a cell of a table. */
const line = (text: string, max = 160) => {
  const flat = stripVTControlCharacters(text)
    .replaceAll(/[\s|`]+/g, " ")
    .trim();
  return flat.length > max ? `${flat.slice(0, max)}...` : flat;
};

const reasonOf = (error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  return line(text.split("\n").find((part) => part.includes("npm error")) ?? text);
};

/** A cluster that does not answer: enough for a server that wants a current context. */
const kubeconfig = `apiVersion: v1
kind: Config
current-context: dummy
contexts: [{ name: dummy, context: { cluster: dummy, user: dummy } }]
clusters: [{ name: dummy, cluster: { server: "https://127.0.0.1:9" } }]
users: [{ name: dummy, user: { token: dummy } }]
`;

/** Values of required variables where the word "dummy" would not do. */
const dummies = (home: string): Record<string, string> => ({
  ALLOWED_DIRECTORY: home,
  ES_URL: "http://127.0.0.1:9",
  KUBECONFIG: join(home, "kubeconfig"),
  MYSQL_HOST: "127.0.0.1",
  SLACK_MCP_XOXB_TOKEN: "xoxb-dummy",
});

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

/** Starts a program in a process group of its own, speaks MCP with it, and ends the group. */
const speak = async (
  args: ReadonlyArray<string>,
  env: Record<string, string>,
  home: string,
): Promise<Pick<Seen, "started" | "tools" | "note">> => {
  const begin = performance.now();
  const child = spawn(process.execPath, args, { cwd: home, env, detached: true });
  const pending = new Map<number, (message: Message) => void>();
  let said = "";
  let strange = 0;
  let lastId = 0;
  const send = (message: object) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const ask = async (method: string, params: object) => {
    const id = ++lastId;
    const answer = new Promise<Message>((resolve) => pending.set(id, resolve));
    send({ id, method, params });
    const { result, error } = await answer;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  };
  child.stdin.on("error", () => {});
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-4_000);
  });
  createInterface({ input: child.stdout }).on("line", (text) => {
    let message: Message;
    try {
      message = JSON.parse(text);
    } catch {
      strange += 1;
      said = `${said}${text}\n`.slice(-4_000);
      return;
    }
    if (message.id === undefined) return;
    if (message.method === "ping") send({ id: message.id, result: {} });
    else if (message.method) {
      send({ id: message.id, error: { code: -32601, message: "Method not found" } });
    } else pending.get(message.id)?.(message);
  });
  const exited = new Promise<never>((_, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      const lines = said.split("\n").filter((part) => !/^\s*(at .*)?$/.test(part));
      const why = lines.find((part) => /error|fatal|fail/i.test(part)) ?? lines.at(-1);
      reject(new Error(`exits with ${signal ?? code}${why ? `: ${why}` : ", and says nothing"}`));
    });
  });
  const seen = { started: "", tools: "", note: "" };
  const talk = async () => {
    const initialized = await ask("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "quartermaster-catalogue-check", version: "1" },
    });
    seen.started = `${Math.round(performance.now() - begin)}`;
    seen.note = `revision ${String(initialized["protocolVersion"])}`;
    send({ method: "notifications/initialized" });
    const tools: Array<unknown> = [];
    let cursor: unknown;
    do {
      const page = await ask("tools/list", cursor === undefined ? {} : { cursor });
      tools.push(...(page["tools"] as ReadonlyArray<unknown>));
      cursor = page["nextCursor"];
    } while (cursor !== undefined);
    seen.tools = `${tools.length} (${Math.ceil(JSON.stringify(tools).length / 1_000)} kB)`;
    if (strange > 0) seen.note += `, ${strange} lines on stdout that are no messages`;
  };
  const deadline = new AbortController();
  try {
    await Promise.race([
      talk(),
      exited,
      sleep(deadlineMillis, undefined, { signal: deadline.signal }).then(() => {
        throw new Error(`no answer in ${deadlineMillis / 1_000} s`);
      }),
    ]);
  } catch (error) {
    seen.note = line(error instanceof Error ? error.message : String(error));
  } finally {
    deadline.abort();
    await endGroup(child.pid);
  }
  return seen;
};

const signal = (pid: number, name: NodeJS.Signals | 0) => {
  try {
    return process.kill(-pid, name);
  } catch {
    return false;
  }
};

/** SIGTERM to all of the group, SIGKILL to what is left after 5 s. */
const endGroup = async (pid: number | undefined) => {
  if (pid === undefined || !signal(pid, "SIGTERM")) return;
  for (let waited = 0; waited < 5_000; waited += 100) {
    await sleep(100);
    if (!signal(pid, 0)) return;
  }
  signal(pid, "SIGKILL");
};

const sizeOf = async (folder: string) => {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
};

/** The programs of a package by name, as npm links them. */
const programsOf = (pkg: string, bin: unknown): Record<string, string> =>
  typeof bin === "string"
    ? { [pkg.replace(/^@[^/]+\//, "")]: bin }
    : ((bin ?? {}) as Record<string, string>);

const check = async (
  entry: CatalogEntry.CatalogEntry,
  manifest: CatalogEntry.StdioManifest,
): Promise<Seen> => {
  const pkg = manifest.package ?? "";
  const pinned = `${pkg}@${manifest.version}`;
  const seen: Seen = {
    entry,
    pinned,
    integrity: "",
    program: "",
    engines: "",
    size: "",
    started: "",
    tools: "",
    note: "",
    broken: false,
  };
  const fail = (note: string) => Object.assign(seen, { note, broken: true });
  let published: Record<string, unknown>;
  try {
    const { stdout } = await npm(["view", pinned, "--json"]);
    published = JSON.parse(stdout);
  } catch (error) {
    return fail(reasonOf(error));
  }
  const { integrity } = published["dist"] as { integrity: string };
  seen.integrity = integrity === manifest.integrity ? "same" : "differs";
  if (integrity !== manifest.integrity) return fail(`npm says ${integrity}`);
  const file = programsOf(pkg, published["bin"])[manifest.command];
  seen.program = file === undefined ? "missing" : "there";
  if (file === undefined) return fail(`it has no program ${manifest.command}`);

  const folder = await mkdtemp(join(tmpdir(), "catalogue-"));
  try {
    const install = ["install", pinned, "--ignore-scripts", "--no-audit", "--no-fund"];
    const { stderr } = await npm([...install, "--prefix", folder], folder);
    const refused = stderr.includes("EBADENGINE") && stderr.includes(`package: '${pinned}'`);
    seen.engines = refused ? "no" : "yes";
    const home = join(folder, "home");
    await mkdir(home);
    writeFileSync(join(home, "kubeconfig"), kubeconfig, { mode: 0o600 });
    const root = join(folder, "node_modules", pkg);
    seen.size = `${Math.ceil((await sizeOf(folder)) / 1_000_000)}`;
    if (!existsSync(join(root, file))) return fail(`${manifest.command} is not in the package`);
    const values = new Map(
      entry.envVars.flatMap(({ name, required, default: value }) =>
        value !== null || required ? [[name, value ?? dummies(home)[name] ?? "dummy"]] : [],
      ) as ReadonlyArray<[string, string]>,
    );
    const args = manifest.args.map((arg) =>
      CatalogEntry.substitute(arg, (name) => values.get(name)),
    );
    const env = {
      PATH: path,
      LANG: "C.UTF-8",
      HOME: home,
      TMPDIR: home,
      ...CatalogEntry.fixedVariables(manifest, home),
      ...Object.fromEntries(values),
    };
    const spoken = await speak([join(root, file), ...args], env, home);
    return Object.assign(seen, spoken, { note: withoutHost(spoken.note, folder) });
  } catch (error) {
    return fail(reasonOf(error));
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
};

const row = (cells: ReadonlyArray<string>) => `| ${cells.map((cell) => cell || "-").join(" | ")} |`;
const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>) =>
  [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");

const entries = Effect.runSync(
  Effect.provide(
    Effect.map(Catalog.Catalog, ({ all }) => all),
    Catalog.Catalog.layer,
  ),
);
const queue = entries.flatMap((entry) =>
  entry.runtime === "node" && CatalogEntry.isStdio(entry.manifest)
    ? [{ entry, manifest: entry.manifest }]
    : [],
);
const results = new Map<string, Seen>();
const work = async () => {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const seen = await check(next.entry, next.manifest);
    results.set(seen.entry.id, seen);
    console.log(`${seen.entry.id}: ${seen.tools ? `${seen.tools} tools` : seen.note}`);
  }
};
await Promise.all(Array.from({ length: atOnce }, work));

const checked = entries.flatMap(({ id }) => results.get(id) ?? []);
const listed = checked.filter(({ tools }) => tools !== "");
const npmVersion = (await npm(["--version"])).stdout.trim();
const others = entries.filter(({ id }) => !results.has(id));
const text = `# What was seen of the catalogue

Written by \`npm run catalogue:check\` on ${new Date().toISOString().slice(0, 10)}, with Node ${process.versions.node} and npm ${npmVersion} on ${process.platform} ${process.arch}. Not edited by hand.

## Packages from npm

Each was looked up, installed on its own without install scripts, and started with dummy credentials in an environment of PATH, LANG, HOME, TMPDIR and its own variables. "Started" is from the start of the process to the answer to \`initialize\`, in ms, while another package may be installing; "tools" is what \`tools/list\` answered, all pages, with the size of the definitions. ${listed.length} of ${checked.length} listed tools. That a server lists tools does not prove that it accepts credentials: these were not real.

${table(
  ["id", "package", "integrity", "program", "fits this Node", "MB", "started", "tools", "note"],
  checked.map((seen) => [
    seen.entry.id,
    seen.pinned,
    seen.integrity,
    seen.program,
    seen.engines,
    seen.size,
    seen.started,
    seen.tools,
    seen.note,
  ]),
)}

## The others

${table(
  ["id", "where", "note"],
  others.map(({ id, manifest }) =>
    CatalogEntry.isStdio(manifest)
      ? [id, `${manifest.package} ${manifest.version}`, "not checked here: no Python registry"]
      : [id, manifest.url, "not checked here: no network to it"],
  ),
)}
`;
writeFileSync(report, text);

const broken = checked.filter((seen) => seen.broken);
for (const seen of broken) console.error(`${seen.entry.id}: ${seen.pinned}: ${seen.note}`);
process.exitCode = broken.length > 0 ? 1 : 0;
