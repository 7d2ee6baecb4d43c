import * as Claims from "./agents/claims.ts";
import * as CommandLine from "./agents/commandLine.ts";
import * as Dependents from "./agents/dependents.ts";
import * as Heartbeats from "./agents/heartbeats.ts";
import * as Renewal from "./agents/renewal.ts";
import * as ToolSearch from "./agents/toolSearch.ts";
import * as Waiting from "./agents/waiting.ts";
import * as WorkNext from "./agents/workNext.ts";
import * as Parts from "./parts.ts";
import type * as Report from "./report.ts";

/**
 * The benchmarks of agents' requests: claims and heartbeats, the work loop over MCP, and dependents
 * of one issue.
 */

const parts = {
  dependents: Dependents.run,
  heartbeats: Heartbeats.run,
  claims: Claims.run,
  workNext: WorkNext.run,
  renewal: Renewal.run,
  waiting: Waiting.run,
  toolSearch: ToolSearch.run,
  commandLine: CommandLine.run,
};

/** Runs all parts, or only the named ones. */
export const run = async (
  quick: boolean,
  only: ReadonlyArray<string> = [],
): Promise<ReadonlyArray<Report.Table>> => {
  const lines: Array<Report.Line> = [];
  for (const part of Parts.chosen("agents", parts, only)) lines.push(...(await part(quick)));
  return [{ title: "Agents (medians of the rounds)", columns: ["", "measured"], lines }];
};
