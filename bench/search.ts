import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PgClient } from "@effect/sql-pg";
import { type Errors, IssueStore } from "@quartermaster/core";
import { Storage as PostgresStorage } from "@quartermaster/storage-postgres";
import { Storage as SqliteStorage } from "@quartermaster/storage-sqlite";
import { Effect, type Layer, Redacted } from "effect";
import { Cluster } from "../packages/storage-postgres/test/support/Cluster.ts";
import * as Corpus from "./corpus.ts";
import * as Scene from "./postgres/scene.ts";
import * as Processes from "./processes.ts";
import * as Report from "./report.ts";
import * as Seed from "./seed.ts";

/**
 * Searches by relevance in each engine, in processor time: the time of this process, and for PostgreSQL the
 * time of its server. The words are the words of the corpus, as often as they occur in it.
 */

const projects = 4;

/** Numbers from 0 to 1, the same in every run. */
const dice = () => {
  let state = 12_345;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
};

type Words = ReadonlyArray<string>;

/** Draws searches: each of one class. */
const searches = (issues: number) => {
  const next = dice();
  const pick = (words: Words) => words[Math.floor(next() * words.length)] ?? "";
  const wordsOf = (index: number) => {
    const { description, title } = Corpus.issue(index, projects);
    return `${title} ${description}`.split(" ").filter((word) => !word.startsWith("needle"));
  };
  const any = () => wordsOf(1 + Math.floor(next() * (issues - 1)));
  /** Different words of one issue. */
  const some = (count: number): Words => {
    const words = any();
    const chosen = new Set<string>();
    while (chosen.size < count) chosen.add(pick(words));
    return [...chosen];
  };
  const whole = { limit: 20, is: "below" } as const;
  const start = { limit: 100, is: "below" } as const;
  return [
    { name: "one word", target: whole, draw: () => some(1) },
    { name: "two words of an issue", target: whole, draw: () => some(2) },
    { name: "two words", target: whole, draw: () => [pick(any()), pick(any())] },
    { name: "three words of an issue", target: whole, draw: () => some(3) },
    { name: "four words of an issue", target: whole, draw: () => some(4) },
    {
      name: "two words, each in half of the issues",
      target: whole,
      draw: () => Corpus.commonWords,
    },
    {
      name: "a word that one issue has",
      target: whole,
      draw: () => [Corpus.rareWord(1 + Math.floor(next() * issues))],
    },
    { name: "three letters", target: start, draw: () => [pick(any()).slice(0, 3)] },
    {
      name: "a word and three letters",
      target: start,
      draw: () => some(2).map((word, index) => (index === 0 ? word : word.slice(0, 3))),
    },
  ];
};

interface Engine {
  readonly name: string;
  readonly layer: Layer.Layer<IssueStore.IssueStore, Errors.StorageError>;
  /** The processor time so far, in ms. */
  readonly spent: () => number;
}

const ownTime = () => {
  const { system, user } = process.cpuUsage();
  return (system + user) / 1_000;
};

const quantile = (times: ReadonlyArray<number>, share: number) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;

/** The p95 of a class in one project, and over all. */
const measure = ({ layer, name: engine, spent }: Engine, issues: number, times: number) =>
  Effect.gen(function* () {
    const { search } = yield* IssueStore.IssueStore;
    const page = { limit: 51, order: "desc", after: null } as const;
    // Opens the connections.
    yield* search({ projects: null, words: ["first"], sort: "relevance" }, page);
    const lines: Array<Report.Line> = [];
    for (const { draw, name, target } of searches(issues)) {
      Report.progress(`${engine}: ${name}`);
      const queries = Array.from({ length: times }, draw);
      const p95s: Array<number> = [];
      for (const scope of [[Corpus.project(1)], null]) {
        const spentOn: Array<number> = [];
        // The first five warm up.
        for (const words of [...queries.slice(0, 5), ...queries]) {
          const before = spent();
          yield* search({ projects: scope, words, sort: "relevance" }, page);
          spentOn.push(spent() - before);
        }
        p95s.push(quantile(spentOn.slice(5), 0.95));
      }
      const [one = Number.NaN, all = Number.NaN] = p95s;
      lines.push({
        cells: [`${engine}: ${name}`, Report.ms(one), Report.ms(all)],
        value: Math.max(one, all),
        target,
      });
    }
    return lines;
  }).pipe(Effect.provide(layer), Effect.runPromise);

const inSqlite = async (issues: number): Promise<Engine> => {
  const dataDir = Processes.path("search");
  Report.progress(`SQLite: seeding ${Report.count(issues)} issues`);
  await Seed.quartermaster(dataDir, { issues, projects, isVaried: true });
  const layer = SqliteStorage.layer({ dataDir, durability: "normal" });
  return { name: "SQLite", layer, spent: ownTime };
};

const schema = "bench_search";

const fill = async (cluster: Cluster, layer: Engine["layer"], issues: number) => {
  await Effect.runPromise(Effect.provide(Effect.void, layer));
  const { end, execute, run } = Scene.plain(cluster, {
    search_path: `"${schema}", pg_catalog`,
    session_replication_role: "replica",
  });
  await execute("DROP INDEX issue_text_body");
  for (const rows of Seed.rowsOf({ issues, projects, isVaried: true })) {
    const names = Object.keys(rows[0]?.issue ?? {}).join(", ");
    const documents = rows.map(({ document, issue }) => [issue.seq, document]);
    await run(
      Effect.gen(function* () {
        const sql = yield* PgClient.PgClient;
        yield* sql.unsafe(
          `INSERT INTO issues (${names}) OVERRIDING SYSTEM VALUE
            SELECT ${names} FROM json_populate_recordset(NULL::issues, $1)`,
          [JSON.stringify(rows.map(({ issue }) => issue))],
        );
        yield* sql.unsafe(
          `INSERT INTO issue_text (rowid, body) SELECT (part ->> 0)::bigint, array_to_tsvector(string_to_array(part ->> 1, ' '))
            FROM json_array_elements($1::json) part`,
          [JSON.stringify(documents)],
        );
      }),
    );
  }
  await execute(
    "CREATE INDEX issue_text_body ON issue_text USING gin (body) WITH (gin_pending_list_limit = 128)",
  );
  await execute("VACUUM ANALYZE");
  await execute("CHECKPOINT");
  await end();
};

/** The processor time of a server and its backends in ms: Linux has it in ns. The pool replaces connections. */
const serverTime = ({ dataDir }: Cluster) => {
  const [first = ""] = readFileSync(join(dataDir, "postmaster.pid"), "utf8").split("\n");
  const spent = (pid: string) => {
    try {
      const [nanoseconds] = readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ");
      return Number(nanoseconds) / 1e6;
    } catch {
      // The process has ended.
      return 0;
    }
  };
  return () => {
    const backends = readFileSync(`/proc/${first}/task/${first}/children`, "utf8").trim();
    return [first, ...backends.split(" ")].reduce((sum, pid) => sum + spent(pid), 0);
  };
};

const inPostgres = async (issues: number): Promise<Engine & { readonly cluster: Cluster }> => {
  const cluster = await Scene.start();
  Report.progress(`PostgreSQL: filling ${Report.count(issues)} issues`);
  const layer = PostgresStorage.layer({ url: Redacted.make(cluster.url), schema, pool: 1 });
  await fill(cluster, layer, issues);
  const ofServer = serverTime(cluster);
  return { name: "PostgreSQL", layer, spent: () => ownTime() + ofServer(), cluster };
};

export const run = async (quick: boolean): Promise<ReadonlyArray<Report.Table>> => {
  const issues = quick ? 100_000 : 1_000_000;
  const times = quick ? 20 : 100;
  const lines = await measure(await inSqlite(issues), issues, times);
  Processes.remove("search");
  if (process.platform === "linux" && Cluster.missing === undefined) {
    const { cluster, ...engine } = await inPostgres(issues);
    lines.push(...(await measure(engine, issues, times)));
    await cluster.remove();
  }
  return [
    {
      title: `Searches of ${Report.count(issues)} issues: p95 of the processor time`,
      columns: ["", "one project of four", "all projects"],
      lines,
    },
  ];
};
