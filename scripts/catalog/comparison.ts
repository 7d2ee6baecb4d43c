// Whether the registry is still as docs/catalog-report.md says. It writes nothing.
import { reasonOf, unreachable } from "./npm.ts";
import { forEach, lookUp, type Package, packages } from "./package.ts";
import * as report from "./report.ts";

const atOnce = 2;

/** So that a registry that is not there is found out in seconds. */
const impatient = ["--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-timeout=20000"];

export interface Comparison {
  /** How many packages the registry was asked for, and answered. */
  readonly lookedUp: number;
  readonly differences: ReadonlyArray<string>;
  /** Why the registry could not be reached, if it could not: nothing else was asked then. */
  readonly away: string | null;
}

export const compare = async (): Promise<Comparison> => {
  const reported = report.read();
  const differences: Array<string> = [];
  let away: string | null = null;
  let lookedUp = 0;

  const differs = ({ entry, pinned }: Package, why: string) =>
    differences.push(`${entry.id}: ${pinned}: ${why}`);

  const lookAt = async (one: Package) => {
    if (away !== null) return;
    try {
      const { problem } = await lookUp(one, impatient);
      lookedUp += 1;
      if (problem !== null) differs(one, problem);
    } catch (error) {
      away = unreachable(error);
      if (away === null) differs(one, reasonOf(error));
    }
  };

  for (const one of packages) {
    const pinned = reported.get(one.entry.id)?.pinned ?? "no such package";
    if (pinned !== one.pinned) differs(one, `the report has ${pinned}`);
  }
  // One question finds out whether the registry is there.
  const [first, ...others] = packages;
  if (first !== undefined) await lookAt(first);
  await forEach(others, atOnce, lookAt);
  return { lookedUp, differences, away };
};
