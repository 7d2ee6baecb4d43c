// The comparison of the registry with docs/catalog-report.md. It writes nothing.
import { reasonOf, unreachable } from "./npm.ts";
import { forEach, lookUp, type Package, packages } from "./package.ts";
import * as report from "./report.ts";

const atOnce = 2;

/** Limits that detect an unreachable registry within seconds. */
const impatient = ["--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-timeout=20000"];

export interface Comparison {
  /** The number of packages that the registry responded for. */
  readonly lookedUp: number;
  readonly differences: ReadonlyArray<string>;
  /**
   * The reason why the registry is unreachable; null if it is reachable. After a failure no other
   * package is looked up.
   */
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
  // The first request detects an unreachable registry.
  const [first, ...others] = packages;
  if (first !== undefined) await lookAt(first);
  await forEach(others, atOnce, lookAt);
  return { lookedUp, differences, away };
};
