import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
// The npm packages of the catalog: the registry's data of one, and its behavior when started.
import { Catalog, CatalogEntry } from "@quartermaster/core";
import { Effect } from "effect";
import { type Conversation, speak } from "./conversation.ts";
import { npm, path } from "./npm.ts";

/** An entry whose program is a package of npm. */
export interface Package {
  readonly entry: CatalogEntry.CatalogEntry;
  readonly manifest: CatalogEntry.StdioManifest;
  /** Its name and exact version. */
  readonly pinned: string;
}

export const entries = Effect.runSync(
  Effect.provide(
    Effect.map(Catalog.Catalog, ({ all }) => all),
    Catalog.Catalog.layer,
  ),
);

export const packages: ReadonlyArray<Package> = entries.flatMap((entry) => {
  const { manifest } = entry;
  if (entry.runtime !== "node" || !CatalogEntry.isStdio(manifest)) return [];
  return [{ entry, manifest, pinned: `${manifest.package}@${manifest.version}` }];
});

/** Maps all items, a few at a time, in order. */
export const forEach = async <A>(
  all: ReadonlyArray<A>,
  atOnce: number,
  f: (one: A) => Promise<unknown>,
): Promise<void> => {
  const queue = [...all];
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await f(next);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
};

/** The programs of a package by name, as npm links them. */
const programsOf = (pkg: string, bin: unknown): Record<string, string> =>
  typeof bin === "string"
    ? { [pkg.replace(/^@[^/]+\//, "")]: bin }
    : ((bin ?? {}) as Record<string, string>);

/** What the registry says of it. */
export interface Published {
  readonly integrity: string;
  /** Where the entry's program is in it; undefined if it is not. */
  readonly file: string | undefined;
  /** What is wrong with that; null if nothing is. */
  readonly problem: string | null;
}

export const lookUp = async (
  { manifest, pinned }: Package,
  options: ReadonlyArray<string> = [],
): Promise<Published> => {
  const { stdout } = await npm(["view", pinned, "--json", ...options]);
  const published = JSON.parse(stdout) as Record<string, unknown>;
  const { integrity } = published["dist"] as { integrity: string };
  const file = programsOf(manifest.package ?? "", published["bin"])[manifest.command];
  const problem = file === undefined ? `it has no program ${manifest.command}` : null;
  const other = integrity === manifest.integrity ? null : `npm says ${integrity}`;
  return { integrity, file, problem: other ?? problem };
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

/** What was seen of a package that was installed and started. */
export interface Trial extends Conversation {
  /** Whether the package supports this Node. */
  readonly engines: string;
  /** Of everything that was installed for it, in MB. */
  readonly size: string;
  readonly missing: boolean;
}

/** Where everything is put, and gone when this ends. */
const scratch = mkdtempSync(join(tmpdir(), "catalogue-"));
process.once("exit", () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));

/** Installs it on its own without install scripts, starts it with dummy credentials, lists its tools. */
export const tryOut = async (
  { entry, manifest, pinned }: Package,
  file: string,
  options: ReadonlyArray<string> = [],
): Promise<Trial> => {
  const folder = await mkdtemp(join(scratch, "package-"));
  try {
    const install = ["install", pinned, "--ignore-scripts", "--no-audit", "--no-fund", ...options];
    const { stderr } = await npm([...install, "--prefix", folder], folder);
    const refused = stderr.includes("EBADENGINE") && stderr.includes(`package: '${pinned}'`);
    const home = join(folder, "home");
    await mkdir(home);
    writeFileSync(join(home, "kubeconfig"), kubeconfig, { mode: 0o600 });
    const program = join(folder, "node_modules", manifest.package ?? "", file);
    const size = `${Math.ceil((await sizeOf(folder)) / 1_000_000)}`;
    const trial = { engines: refused ? "no" : "yes", size, missing: !existsSync(program) };
    if (trial.missing) {
      return {
        ...trial,
        started: "",
        tools: "",
        note: `${manifest.command} is not in the package`,
      };
    }
    const values = valuesOf(entry, home);
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
    const spoken = await speak([program, ...args], env, home);
    return { ...trial, ...spoken, note: withoutHost(spoken.note, folder) };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
};

const valuesOf = ({ envVars }: CatalogEntry.CatalogEntry, home: string) =>
  new Map(
    envVars.flatMap(({ name, required, default: value }) =>
      value !== null || required ? [[name, value ?? dummies(home)[name] ?? "dummy"]] : [],
    ) as ReadonlyArray<[string, string]>,
  );

const sizeOf = async (folder: string) => {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
};

/** Without what is this machine's own: the folder, and addresses of name servers. */
const withoutHost = (text: string, folder: string) =>
  text.replaceAll(folder, "...").replaceAll(/ on \d+\.[\d.:]+/g, "");
