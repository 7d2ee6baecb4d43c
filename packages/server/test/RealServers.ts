import { readdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Catalog files with real servers and a small one, and their live processes. */

const require = createRequire(import.meta.url);

const program = async (name: string): Promise<string> => {
  const file = require.resolve(`@modelcontextprotocol/${name}/package.json`);
  const { bin } = JSON.parse(await readFile(file, "utf8")) as { bin: Record<string, string> };
  return join(dirname(file), Object.values(bin)[0] ?? "");
};

const entry = async (id: string, more: Record<string, unknown> = {}, args: unknown = []) => ({
  id,
  name: id,
  description: "A reference server, from this workspace",
  category: "dev",
  transport: "stdio",
  runtime: "none",
  installInstructions: "None: it is there.",
  manifest: { command: await program(`server-${id}`), args, ...(more["env"] as object) },
  envVars: more["envVars"] ?? [],
});

const variable = (name: string, secret: boolean, required = true) => ({
  name,
  description: name,
  required,
  secret,
});

/**
 * Writes a catalog with `everything` and `vault` (CANARY is their secret), `files` (ROOT), `graph`,
 * and `stubborn`, which ignores SIGTERM. All are real servers, except `vault`.
 */
export const writeCatalog = async (folder: string): Promise<string> => {
  const everything = await entry("everything", {
    envVars: [variable("CANARY", true), variable("PLAIN", false, false)],
  });
  const filesystem = await entry("filesystem", { envVars: [variable("ROOT", false)] }, ["${ROOT}"]);
  const memory = await entry("memory", {
    env: { env: { MEMORY_FILE_PATH: "${HOME}/memory.jsonl" } },
  });
  const file = join(folder, "catalog.json");
  const deaf = "data:text/javascript,process.on('SIGTERM',()=>{});setInterval(()=>{},1000)";
  const stubborn = {
    command: process.execPath,
    args: ["--import", deaf, await program("server-memory")],
  };
  const vault = {
    command: process.execPath,
    args: [fileURLToPath(new URL("vault.mjs", import.meta.url))],
  };
  const entries = [
    everything,
    { ...everything, id: "vault", manifest: vault },
    { ...filesystem, id: "files" },
    { ...memory, id: "graph" },
    { ...memory, id: "stubborn", manifest: stubborn },
  ];
  await writeFile(file, JSON.stringify(entries));
  return file;
};

/** The MCP servers whose environment mentions the folder, without Quartermaster's own processes. */
export const processesOf = async (folder: string): Promise<ReadonlyArray<number>> => {
  const found: Array<number> = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const environment = await readFile(`/proc/${name}/environ`, "utf8").catch(() => "");
    if (environment.includes(`HOME=${folder}`)) found.push(Number(name));
  }
  return found;
};

/** Every file below the folder that contains the text. */
export const filesWith = async (folder: string, text: string): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = [];
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const path = join(file.parentPath, file.name);
    if ((await readFile(path)).includes(text)) found.push(path);
  }
  return found;
};
