import { randomUUID } from "node:crypto";
import { PgClient } from "@effect/sql-pg";
import { Issues, Principal } from "@quartermaster/core";
import { Effect } from "effect";
import type { Cluster } from "../../packages/storage-postgres/test/support/Cluster.ts";
import * as Corpus from "../corpus.ts";
import * as Report from "../report.ts";
import * as Scene from "./scene.ts";

/** Issues created in this process, beside inserts of one row into a table with two indexes. */

const table = [
  `CREATE TABLE tasks (id text PRIMARY KEY, project_id text NOT NULL, title text NOT NULL,
    description text, status text NOT NULL, priority text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now())`,
  "CREATE INDEX tasks_project ON tasks (project_id, status)",
];

const insert = ({ title, description }: Corpus.SeedIssue) =>
  Effect.flatMap(
    PgClient.PgClient,
    (sql) => sql`INSERT INTO tasks (id, project_id, title, description, status, priority)
      VALUES (${randomUUID()}, 'bench', ${title}, ${description}, 'Open', 'normal')`,
  );

const create = ({ title, description }: Corpus.SeedIssue) =>
  Effect.flatMap(Issues.Issues, (issues) => issues.create("bench", { title, description }));

export const run = async (
  quick: boolean,
  cluster: Cluster,
): Promise<ReadonlyArray<Report.Line>> => {
  const some = Array.from({ length: quick ? 200 : 1_000 }, (_, index) => Corpus.issue(index, 1));
  const host = Scene.services(cluster, "bench_creates");
  const plain = Scene.plain(cluster);
  for (const statement of table) await plain.execute(statement);
  const line = await Scene.inTurn({
    name: `issues created a second in single inserts, ${Scene.connections} connections`,
    rounds: quick ? 3 : 7,
    ours: () =>
      host.runPromise(
        Effect.provideService(
          Scene.rate(some, create),
          Principal.CurrentPrincipal,
          Principal.system,
        ),
      ),
    theirs: () => plain.run(Scene.rate(some, insert)),
    show: Report.count,
    target: { limit: 0.5, is: "atLeast" },
  });
  await Promise.all([host.dispose(), plain.end()]);
  return [line];
};
