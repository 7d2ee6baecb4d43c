import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "../api.ts";
import * as Corpus from "../corpus.ts";
import * as Processes from "../processes.ts";
import * as Report from "../report.ts";
import * as Database from "./database.ts";

/** The status changes of an issue that blocks 10,000 others. */

const dependents = 10_000;
const blocker = Corpus.issueId(1);

/** Blocks all other issues by the first one. */
const block = (dataDir: string) => {
  const db = Database.open(dataDir);
  try {
    db.exec(`BEGIN;
      UPDATE issues SET status = 'WaitingOnDependency', resolved_at = NULL, closed_at = NULL,
        link_count = 1;
      UPDATE issues SET status = 'Open', link_count = ${dependents} WHERE id = '${blocker}';
      INSERT INTO links (id, relation, source_id, source_project_id, target_id, target_project_id,
        created_by_type, created_by_id, created_at)
      SELECT replace(target.id, 'iss_', 'lnk_'), 'Blocks', source.id, source.project_id,
        target.id, target.project_id, 'User', 'alice', target.created_at
      FROM issues AS target, issues AS source
      WHERE source.id = '${blocker}' AND target.id <> source.id;
      COMMIT`);
  } finally {
    db.close();
  }
};

/** Counts the waiting issues repeatedly until it is stopped. Returns all counts. */
const watch = (dataDir: string) => {
  const db = Database.open(dataDir, true);
  const waiting = db.prepare(
    "SELECT count(*) AS waiting FROM issues WHERE status = 'WaitingOnDependency'",
  );
  const seen = new Set<number>();
  const look = () => seen.add(Number(waiting.get()?.["waiting"]));
  look();
  const timer = setInterval(look, 10);
  return () => {
    clearInterval(timer);
    look();
    db.close();
    return [...seen];
  };
};

export const run = async (quick: boolean): Promise<ReadonlyArray<Report.Line>> => {
  const rounds = quick ? 3 : 5;
  const dataDir = await Database.seed("agents-dependents", dependents + 1);
  block(dataDir);
  const server = await Processes.quartermaster(dataDir);
  const move = async (status: string) => {
    const began = performance.now();
    await ask(server, "PUT", `/api/projects/issues/${blocker}`, { status });
    return performance.now() - began;
  };
  // The first round warms up. A reader observes it: it must never see only some of the dependents
  // unblocked.
  const stop = watch(dataDir);
  await move("Resolved");
  const seen = stop();
  if (seen.join() !== `${dependents},0`) {
    throw new Error(
      `of ${dependents} dependents, the benchmark saw these numbers of waiting ones: ${seen.join(", ")}`,
    );
  }
  await move("Open");
  const freed: Array<number> = [];
  const held: Array<number> = [];
  for (let round = 1; round <= rounds; round++) {
    Report.progress(`dependents: round ${round} of ${rounds}`);
    await sleep(500);
    freed.push(await move("Resolved"));
    await sleep(500);
    held.push(await move("Open"));
  }
  await server.end();
  Processes.remove("agents-dependents");
  const value = Report.median(freed);
  const name = `a blocker of ${Report.count(dependents)} issues`;
  return [
    {
      cells: [`resolving ${name}, in one transaction`, Report.ms(value)],
      value,
      target: { limit: 1_000, is: "below" },
    },
    { cells: [`reopening ${name}`, Report.ms(Report.median(held))] },
  ];
};
