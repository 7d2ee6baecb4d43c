// What an Admin sees of an entry: it is installed, and verified in its sandbox and in others.
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Quartermaster } from "@quartermaster/embedded";
import { line } from "./npm.ts";
import { type Package, values } from "./package.ts";

/** `auto` is how the entry runs; the others show what it needs. */
const settings = ["auto", "node", "direct"] as const;
type Setting = (typeof settings)[number];

/** What one verify found. */
interface Found {
  /** What the program ran in. */
  readonly sandbox: string;
  /** From the start of the program to its list of tools, in ms; null if it did not list them. */
  readonly millis: number | null;
  readonly tools: number;
  readonly tokens: number;
  /** What is remarkable in a list, or why the verify failed. */
  readonly note: string;
}

export interface Trial {
  readonly found: Readonly<Record<Setting, Found>>;
  /** Of everything that was installed for the package, in MB. */
  readonly size: number;
  /** What is wrong with the entry; null if nothing is. */
  readonly problem: string | null;
}

/** Where everything is put, and gone when this ends. */
const scratch = mkdtempSync(join(tmpdir(), "catalog-"));
process.once("exit", () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));
const dataDir = join(scratch, "data");

/** Quartermaster with each setting, over one data directory: a package is installed once. */
const openAll = async () => {
  const open = async (sandbox: Setting) => Quartermaster.open({ dataDir, sandbox });
  return { auto: await open("auto"), node: await open("node"), direct: await open("direct") };
};

/** Runs trials with the services, and stops them. */
export const withServices = async (
  body: (tryOut: (one: Package) => Promise<Trial>) => Promise<void>,
): Promise<void> => {
  const services = await openAll();
  try {
    await body((one) => tryOut(services, one));
  } finally {
    for (const service of Object.values(services)) await service.close();
  }
};

const tryOut = async (
  services: Awaited<ReturnType<typeof openAll>>,
  { entry }: Package,
): Promise<Trial> => {
  const { servers } = services.auto;
  const envValues = values(entry, join(scratch, "files"));
  const { id } = await servers.install({ catalogId: entry.id, envValues });
  try {
    const found = {
      auto: await verify(services.auto, id),
      node: await verify(services.node, id),
      direct: await verify(services.direct, id),
    };
    return { found, size: await packageSize(), problem: problemOf(found) };
  } finally {
    await servers.uninstall(id);
  }
};

const verify = async ({ servers }: Quartermaster, id: string): Promise<Found> => {
  const { details, tokens } = await servers.verify(id);
  const { sandbox } = await servers.get(id);
  const [sentence, millis] = /^Responded in (\d+) ms with \d+ tools?\. ?/.exec(details) ?? [];
  // With the tools that are withheld because clients could not read them.
  const tools = (await servers.tools(id)).filter(({ state }) => state !== "gone").length;
  return {
    sandbox: sandbox ?? "",
    millis: millis === undefined ? null : Number(millis),
    tools,
    tokens: tokens ?? 0,
    note: sentence === undefined ? reasonOf(details) : line(details.slice(sentence.length)),
  };
};

/** A program that says why it exits has done what it can without its service. */
const reasonOf = (details: string) => {
  const [first = "", ...stderr] = details.replaceAll(scratch, "...").split("\n");
  const why = stderr.find((text) =>
    /error|fatal|fail/i.test(text.replace(/\{"level":"info.*/, "")),
  );
  // Without addresses of name servers, which are this host's own.
  return line(`${first} ${why ?? ""}`.replaceAll(/ on \d+\.[\d.:]+/g, ""));
};

const problemOf = ({ auto, direct, node }: Trial["found"]): string | null => {
  const text = (found: Found) =>
    found.millis === null ? found.note : `${found.tools} tools, ${found.tokens} tokens`;
  const other = [auto, node].find(
    (found) => (found.millis === null) !== (direct.millis === null) || found.tools !== direct.tools,
  );
  if (other !== undefined) return `under ${other.sandbox} ${text(other)}, direct ${text(direct)}`;
  return direct.millis === null && !direct.note.startsWith("The server exited")
    ? direct.note
    : null;
};

const packageSize = async () => {
  const folder = join(dataDir, "packages");
  if (!existsSync(folder)) return 0;
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const isCache = (path: string) => path.startsWith(join(folder, ".cache"));
  const bytes = files
    .filter((file) => file.isFile() && !isCache(file.parentPath))
    .reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
  return Math.ceil(bytes / 1_000_000);
};
