import { hasBrowser } from "../packages/dashboard/test/support/Chromium.ts";
import * as Board from "./dashboard/board.ts";
import * as Changes from "./dashboard/changes.ts";
import * as FirstLoad from "./dashboard/firstLoad.ts";
import * as Flood from "./dashboard/flood.ts";
import * as Graph from "./dashboard/graph.ts";
import * as RunLog from "./dashboard/runLog.ts";
import * as Watch from "./dashboard/watch.ts";
import * as Parts from "./parts.ts";
import type * as Report from "./report.ts";

/** The dashboard in a browser: the built page of the built server. */

const parts = {
  firstLoad: FirstLoad.run,
  board: Board.run,
  changes: Changes.run,
  flood: Flood.run,
  graph: Graph.run,
  runLog: RunLog.run,
  watch: Watch.run,
};

const title = "Dashboard in Chromium";

/** Runs all parts, or only the named ones. `seconds` is the duration of the flood. */
export const run = async (
  quick: boolean,
  only: ReadonlyArray<string> = [],
  seconds?: number,
): Promise<ReadonlyArray<Report.Table>> => {
  if (!hasBrowser) {
    const skipped = { cells: ["skipped: needs Chromium (apt-get install chromium)", ""] };
    return [{ title, columns: ["", "measured"], lines: [skipped] }];
  }
  const lines: Array<Report.Line> = [];
  for (const part of Parts.chosen("dashboard", parts, only)) {
    lines.push(...(await part(quick, seconds)));
  }
  return [{ title, columns: ["", "measured"], lines }];
};
