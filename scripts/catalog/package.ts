// The npm packages of the catalog: the registry's data about a package, and the variables that it
// needs.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Catalog, CatalogEntry } from "@quartermaster/core";
import { Effect } from "effect";
import { npm } from "./npm.ts";

/** An entry whose program is an npm package. */
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

/** The registry's data about a package. */
export interface Published {
  readonly integrity: string;
  /** The newest version of the package. */
  readonly newest: string;
  /** The supported versions of Node.js; empty if the package does not declare them. */
  readonly engines: string;
  /** The defect of the package; null if it has no defect. */
  readonly problem: string | null;
}

export const lookUp = async (
  { manifest, pinned }: Package,
  options: ReadonlyArray<string> = [],
): Promise<Published> => {
  const { stdout } = await npm(["view", pinned, "--json", ...options]);
  const published = JSON.parse(stdout) as Record<string, unknown>;
  const { integrity } = published["dist"] as { integrity: string };
  const { latest: newest } = published["dist-tags"] as { latest: string };
  const { node: engines = "" } = (published["engines"] ?? {}) as { node?: string };
  const file = programsOf(manifest.package ?? "", published["bin"])[manifest.command];
  const problem = file === undefined ? `it has no program ${manifest.command}` : null;
  const other = integrity === manifest.integrity ? null : `npm says ${integrity}`;
  return { integrity, newest, engines, problem: other ?? problem };
};

/** A cluster that does not respond: sufficient for a server that requires a current context. */
const kubeconfig = `apiVersion: v1
kind: Config
current-context: dummy
contexts: [{ name: dummy, context: { cluster: dummy, user: dummy } }]
clusters: [{ name: dummy, cluster: { server: "https://127.0.0.1:9" } }]
users: [{ name: dummy, user: { token: dummy } }]
`;

/** Values for the required variables, and the files that they name, below a folder. */
export const values = (
  { envVars }: Pick<CatalogEntry.CatalogEntry, "envVars">,
  folder: string,
): Record<string, string> => {
  mkdirSync(folder, { recursive: true });
  const kubeconfigFile = join(folder, "kubeconfig");
  writeFileSync(kubeconfigFile, kubeconfig, { mode: 0o600 });
  const special: Record<string, string> = {
    ALLOWED_DIRECTORY: folder,
    ES_URL: "http://127.0.0.1:9",
    KUBECONFIG: kubeconfigFile,
    MYSQL_HOST: "127.0.0.1",
    SLACK_MCP_XOXB_TOKEN: "xoxb-dummy",
  };
  const required = envVars.filter((variable) => variable.required);
  return Object.fromEntries(required.map(({ name }) => [name, special[name] ?? "dummy"]));
};
