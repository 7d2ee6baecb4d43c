import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
// docs/catalogue-report.md: written from what was seen, and read again.
import { CatalogEntry } from "@quartermaster/core";
import { npm } from "./npm.ts";
import { entries, type Package } from "./package.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const report = "docs/catalogue-report.md";

/** What was seen of a package; a text is empty where nothing was. */
export interface Seen {
  readonly package: Package;
  integrity: string;
  program: string;
  engines: string;
  size: string;
  started: string;
  tools: string;
  note: string;
  broken: boolean;
}

const row = (cells: ReadonlyArray<string>) => `| ${cells.map((cell) => cell || "-").join(" | ")} |`;
const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>) =>
  [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");

const textOf = (checked: ReadonlyArray<Seen>, npmVersion: string) => {
  const listed = checked.filter(({ tools }) => tools !== "");
  const ids = new Set(checked.map((seen) => seen.package.entry.id));
  const others = entries.filter(({ id }) => !ids.has(id));
  return `# Check of the catalog

Written by \`npm run catalogue:check\` on ${new Date().toISOString().slice(0, 10)}, with Node ${process.versions.node} and npm ${npmVersion} on ${process.platform} ${process.arch}. Not edited by hand.

## Packages from npm

Each was looked up, installed on its own without install scripts, and started with dummy credentials in an environment of PATH, LANG, HOME, TMPDIR and its own variables. "Started" is from the start of the process to the answer to \`initialize\`, in ms, while another package may be installing; "tools" is what \`tools/list\` answered, all pages, with the size of the definitions. ${listed.length} of ${checked.length} listed tools. That a server lists tools does not prove that it accepts credentials: these were not real.

${table(
  ["id", "package", "integrity", "program", "fits this Node", "MB", "started", "tools", "note"],
  checked.map((seen) => [
    seen.package.entry.id,
    seen.package.pinned,
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
};

export const write = async (checked: ReadonlyArray<Seen>): Promise<void> => {
  const npmVersion = (await npm(["--version"])).stdout.trim();
  writeFileSync(`${root}/${report}`, textOf(checked, npmVersion));
  execFileSync("oxfmt", [report], { cwd: root, stdio: "inherit" });
};

/** What the report says of a package: its version, and how many tools were listed. */
export interface Reported {
  readonly pinned: string;
  /** Null where none were listed. */
  readonly tools: number | null;
}

/** By entry. */
export const read = (): ReadonlyMap<string, Reported> =>
  new Map(
    readFileSync(`${root}/${report}`, "utf8")
      .split("\n")
      .map((text) => text.split("|").map((cell) => cell.trim()))
      .filter((cells) => cells.length === 11)
      .map(([, id = "", pinned = "", , , , , , tools = ""]) => {
        const count = Number.parseInt(tools, 10);
        return [id, { pinned, tools: Number.isNaN(count) ? null : count }];
      }),
  );
