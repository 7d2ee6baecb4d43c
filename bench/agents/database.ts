import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as Processes from "../processes.ts";
import * as Report from "../report.ts";
import * as Seed from "../seed.ts";

/** The databases of these benchmarks: filled in advance, and read directly. */

export const open = (dataDir: string, readOnly = false): DatabaseSync =>
  new DatabaseSync(join(dataDir, "quartermaster.db"), { readOnly });

/** Fills a new data directory with issues of four projects. Returns its path. */
export const seed = async (name: string, issues: number): Promise<string> => {
  const dataDir = Processes.path(name);
  let told = 0;
  await Seed.quartermaster(dataDir, {
    issues,
    projects: 4,
    progress: (done) => {
      if (done - told < 50_000 && done < issues) return;
      told = done;
      Report.progress(`seeding: ${Report.count(done)} of ${Report.count(issues)} issues`);
    },
  });
  return dataDir;
};
