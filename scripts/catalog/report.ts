// docs/catalog-report.md: writes it from the trials, and reads it.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CatalogEntry } from "@quartermaster/core";
import { npm } from "./npm.ts";
import { entries, type Package, type Published } from "./package.ts";
import type { Trial } from "./trial.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const report = "docs/catalog-report.md";

/** The result of a package's trials, and its defect; null if it has no defect. */
export interface Seen extends Partial<Omit<Published, "problem">> {
  readonly package: Package;
  readonly trial: Trial | null;
  readonly problem: string | null;
}

const row = (cells: ReadonlyArray<string>) => `| ${cells.map((cell) => cell || "-").join(" | ")} |`;
const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>) =>
  [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");

const columns = [
  "id",
  "package",
  "integrity",
  "newest",
  "Node.js",
  "MB",
  "tools",
  "tokens",
  "sandbox",
  "started",
  "node",
  "direct",
  "note",
];

/** The cells of a package after its entry's id. A cell without a result is empty. */
export const cellsOf = ({
  engines = "",
  integrity,
  newest = "",
  package: { manifest, pinned },
  problem,
  trial,
}: Seen): ReadonlyArray<string> => {
  const same = integrity === manifest.integrity ? "same" : "differs";
  const published = [
    pinned,
    integrity === undefined ? "" : same,
    newest === manifest.version ? "yes" : newest,
    engines.replaceAll("|", "\\|"),
  ];
  if (trial === null) return [...published, "", "", "", "", "", "", "", problem ?? ""];
  const { auto, direct, node } = trial.found;
  const millis = (found: typeof auto) => (found.millis === null ? "" : `${found.millis}`);
  const isListed = auto.millis !== null;
  return [
    ...published,
    `${trial.size}`,
    isListed ? `${auto.tools}` : "",
    isListed ? `${auto.tokens}` : "",
    auto.sandbox,
    millis(auto),
    // Programs that the sandbox `node` does not suit run direct.
    node.sandbox === "node" ? millis(node) : "",
    millis(direct),
    problem ?? auto.note,
  ];
};

const textOf = (checked: ReadonlyArray<Seen>, npmVersion: string) => {
  const listed = checked.filter(({ trial }) => trial !== null && trial.found.auto.millis !== null);
  const ids = new Set(checked.map((seen) => seen.package.entry.id));
  const others = entries.filter(({ id }) => !ids.has(id));
  return `# Check of the catalog

Written by \`npm run catalog:check\` on ${new Date().toISOString().slice(0, 10)}, with Node ${process.versions.node} and npm ${npmVersion} on ${process.platform} ${process.arch}. Not edited by hand.

## Packages from npm

Each was looked up, installed as an Admin installs it, and verified with dummy credentials three times: in the sandbox that \`QM_SANDBOX=auto\` chooses here, with \`QM_SANDBOX=node\`, and with \`QM_SANDBOX=direct\`. An entry whose program lists other tools in a sandbox than without one fails the check. "Newest" is "yes" where the registry has no newer version, "Node.js" what the package declares, "MB" what is installed for it. "Tools" and "tokens" are what the server lists in its sandbox, and "started" is the time from the start of its program to that list, in ms; "node" and "direct" are the same under these layers, "-" under \`node\` where the program does not suit it. ${listed.length} of ${checked.length} listed tools. That a server lists tools does not prove that it accepts credentials: these were not real.

${table(
  columns,
  checked.map((seen) => [seen.package.entry.id, ...cellsOf(seen)]),
)}

## The others

${table(
  ["id", "where", "note"],
  others.map(({ id, manifest, verified }) => {
    const publisher = verified ? "publisher checked; " : "";
    return CatalogEntry.isStdio(manifest)
      ? [
          id,
          `${manifest.package} ${manifest.version}`,
          `${publisher}not started here: no Python registry`,
        ]
      : [id, manifest.url, `${publisher}not started here: no network to it`];
  }),
)}
`;
};

export const write = async (checked: ReadonlyArray<Seen>): Promise<void> => {
  const npmVersion = (await npm(["--version"])).stdout.trim();
  writeFileSync(`${root}/${report}`, textOf(checked, npmVersion));
  execFileSync("oxfmt", [report], { cwd: root, stdio: "inherit" });
};

/** The data of a package in the report: its version, and the number of listed tools. */
export interface Reported {
  readonly pinned: string;
  /** Null if the server listed no tools. */
  readonly tools: number | null;
}

/** The packages of the report, by entry. */
export const read = (): ReadonlyMap<string, Reported> =>
  new Map(
    readFileSync(`${root}/${report}`, "utf8")
      .split("\n")
      .map((text) => text.split(/(?<!\\)\|/).map((cell) => cell.trim()))
      .filter((cells) => cells.length === columns.length + 2)
      .map(([, ...cells]) => {
        const cell = (name: string) => cells[columns.indexOf(name)] ?? "";
        const count = Number.parseInt(cell("tools"), 10);
        return [cell("id"), { pinned: cell("package"), tools: Number.isNaN(count) ? null : count }];
      }),
  );
