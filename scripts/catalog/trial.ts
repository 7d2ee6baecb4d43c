// An Admin's view of an entry: installs it, and verifies it in its own sandbox and in others.
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Quartermaster } from "@quartermaster/embedded";
import { line } from "./npm.ts";
import { type Package, values } from "./package.ts";

/** `auto` is the setting that the entry runs with; the others show its requirements. */
const settings = ["auto", "node", "direct"] as const;
type Setting = (typeof settings)[number];

/** The result of one verify. */
interface Found {
  /** The sandbox that the program ran in. */
  readonly sandbox: string;
  /**
   * From the start of the program to its list of tools, in ms; null if it did not list its tools.
   */
  readonly millis: number | null;
  readonly tools: number;
  readonly tokens: number;
  /** A notable fact about the list, or the reason for the failure. */
  readonly note: string;
}

export interface Trial {
  readonly found: Readonly<Record<Setting, Found>>;
  /** The size of everything that was installed for the package, in MB. */
  readonly size: number;
  /** The defect of the entry; null if it has no defect. */
  readonly problem: string | null;
}

/** The folder of all data. The exit of this process removes it. */
const scratch = mkdtempSync(join(tmpdir(), "catalog-"));
process.once("exit", () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));
const dataDir = join(scratch, "data");

/**
 * Opens Quartermaster with each setting, on one data directory: a package is installed only once.
 */
const openAll = async () => {
  const open = async (sandbox: Setting) => Quartermaster.open({ dataDir, sandbox });
  return { auto: await open("auto"), node: await open("node"), direct: await open("direct") };
};

/** Runs trials with the services, then stops the services. */
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
  // Includes tools that are withheld because clients could not read them.
  const tools = (await servers.tools(id)).filter(({ state }) => state !== "gone").length;
  return {
    sandbox: sandbox ?? "",
    millis: millis === undefined ? null : Number(millis),
    tools,
    tokens: tokens ?? 0,
    note: sentence === undefined ? reasonOf(details) : line(details.slice(sentence.length)),
  };
};

/** The reason why a program exited. Without its service a program can do no more than report it. */
const reasonOf = (details: string) => {
  const [first = "", ...stderr] = details.replaceAll(scratch, "...").split("\n");
  const why = stderr.find((text) =>
    /error|fatal|fail/i.test(text.replace(/\{"level":"info.*/, "")),
  );
  // Removes the addresses of name servers, which are specific to this host.
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
