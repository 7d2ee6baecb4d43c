// Whether the registry and a few packages are still as docs/catalogue-report.md says. It writes
// nothing but to a scratch folder of its own.
import { reasonOf, unreachable } from "./npm.ts";
import { forEach, lookUp, type Package, packages, type Published, tryOut } from "./package.ts";
import * as report from "./report.ts";

/** Started each time: they are small, and list their tools without a network. */
const chosen: ReadonlySet<string> = new Set([
  "filesystem",
  "memory",
  "sequential-thinking",
  "playwright",
  "airtable",
  "brave-search",
  "perplexity",
  "tavily",
]);
const atOnce = 2;

/** So that a registry that is not there is found out in seconds. */
const impatient = ["--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-timeout=20000"];

export interface Comparison {
  /** How many packages the registry was asked for, and answered. */
  readonly lookedUp: number;
  /** How many were started. */
  readonly started: number;
  readonly differences: ReadonlyArray<string>;
  /** Why the registry could not be reached, if it could not: nothing else was asked then. */
  readonly away: string | null;
}

export const compare = async (): Promise<Comparison> => {
  const reported = report.read();
  const published = new Map<Package, Published>();
  const differences: Array<string> = [];
  let away: string | null = null;
  let started = 0;

  const differs = ({ entry, pinned }: Package, why: string) =>
    differences.push(`${entry.id}: ${pinned}: ${why}`);

  const ask = async (one: Package, question: () => Promise<unknown>) => {
    if (away !== null) return;
    try {
      await question();
    } catch (error) {
      const why = unreachable(error);
      if (why === null) differs(one, reasonOf(error));
      else away = why;
    }
  };

  const ofRegistry = (one: Package) =>
    ask(one, async () => {
      const said = await lookUp(one, impatient);
      published.set(one, said);
      if (said.problem !== null) differs(one, said.problem);
    });

  const ofProgram = (one: Package) =>
    ask(one, async () => {
      const { file, problem } = published.get(one) ?? {};
      const expected = reported.get(one.entry.id)?.tools;
      if (file === undefined || problem !== null || expected == null) return;
      const { note, tools } = await tryOut(one, file, impatient);
      started += 1;
      if (tools === "") differs(one, `lists no tools, and ${expected} before: ${note}`);
      else if (Number.parseInt(tools, 10) !== expected) {
        differs(one, `lists ${tools} tools, and ${expected} before`);
      }
    });

  for (const one of packages) {
    const pinned = reported.get(one.entry.id)?.pinned ?? "no such package";
    if (pinned !== one.pinned) differs(one, `the report tells of ${pinned}`);
  }
  // One question finds out whether the registry is there.
  const [first, ...others] = packages;
  if (first !== undefined) await ofRegistry(first);
  await forEach(others, atOnce, ofRegistry);
  const tried = packages.filter(({ entry }) => chosen.has(entry.id));
  await forEach(tried, atOnce, ofProgram);
  return { lookedUp: published.size, started, differences, away };
};
