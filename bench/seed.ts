import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import {
  ActivityStore,
  type Activity,
  type Event,
  EventStore,
  Issue,
  IssueStore,
  Folding,
  ProjectStore,
  Transactor,
} from "@quartermaster/core";
import { Storage } from "@quartermaster/storage-sqlite";
import { Effect } from "effect";
import { open } from "./baseline.ts";
import * as Corpus from "./corpus.ts";
import * as Processes from "./processes.ts";

/** Fills new databases with the issues of the corpus, as if each had been created by a call. */

export interface Options {
  readonly issues: number;
  readonly projects: number;
  /** Adds labels, priorities, agents and pauses, which lists filter by. */
  readonly isVaried?: boolean | undefined;
  readonly progress?: ((done: number) => void) | undefined;
}

/** Issues per transaction. */
const batch = 5_000;

const alice = { type: "User", id: "alice" } as const;

const batches = function* ({ issues, projects, progress }: Options) {
  for (let first = 1; first <= issues; first += batch) {
    const length = Math.min(batch, issues - first + 1);
    yield Array.from({ length }, (_, index) => Corpus.issue(first + index, projects));
    progress?.(first + length - 1);
  }
};

const common = (issue: Corpus.SeedIssue) => {
  const done = issue.status === "Resolved" || issue.status === "Closed";
  return {
    ...issue,
    priority: "normal",
    assignedAgentId: null,
    assigneeUserId: null,
    goalId: null,
    pausedBecause: null,
    attempts: 0,
    notBefore: null,
    labels: [],
    metadata: {},
    externalRef: null,
    version: 1,
    createdBy: alice,
    updatedAt: issue.createdAt,
    startedAt: null,
    resolvedAt: done ? issue.createdAt : null,
    closedAt: issue.status === "Closed" ? issue.createdAt : null,
  } as const;
};

const toRow = (
  issue: Corpus.SeedIssue,
  index: number,
  { isVaried = false }: Options,
): Issue.NewIssue => ({
  prefix: "BENCH",
  ...common(issue),
  ...(isVaried ? Corpus.varied(issue, index) : {}),
  resumed: false,
  linkCount: 0,
});

const { literals: priorities } = Issue.IssuePriority;

const indexOf = ({ id }: Corpus.SeedIssue) => Number(id.slice("iss_01J".length));

const eventId = (issue: { readonly id: string }) => issue.id.replace(/^iss/, "evt");

const toEntry = (issue: Corpus.SeedIssue): Omit<Activity.ActivityRow, "seq"> => ({
  id: eventId(issue),
  issueId: issue.id,
  kind: "created",
  actor: alice,
  data: { status: issue.status },
  relatedProjectId: null,
  createdAt: issue.createdAt,
});

const toEvent = (issue: Corpus.SeedIssue): Omit<Event.EventRow, "seq"> => {
  const { issueId, kind, ...entry } = toEntry(issue);
  return {
    ...entry,
    kind: `issue.${kind}`,
    subjectId: issueId,
    issueKey: null,
    projectId: issue.projectId,
  };
};

/** Writes the rows through Quartermaster's own stores. */
const byStores = (dataDir: string, options: Options): Promise<void> =>
  Effect.gen(function* () {
    const { transact } = yield* Transactor.Transactor;
    const issues = yield* IssueStore.IssueStore;
    const activity = yield* ActivityStore.ActivityStore;
    const events = yield* EventStore.EventStore;
    const { put } = yield* ProjectStore.ProjectStore;
    for (let index = 0; index < options.projects; index++) {
      const settings = { prefix: `BENCH${index}`, name: null, description: null };
      yield* transact(put({ id: Corpus.project(index), ...settings }));
    }
    for (const some of batches(options)) {
      yield* transact(
        Effect.gen(function* () {
          for (const issue of some) yield* issues.insert(toRow(issue, indexOf(issue), options));
          yield* activity.append(some.map(toEntry));
          yield* events.append(some.map(toEvent));
        }),
      );
    }
  }).pipe(Effect.provide(Storage.layer({ dataDir, durability: "normal" })), Effect.runPromise);

const openDatabase = (dataDir: string) => new DatabaseSync(join(dataDir, "quartermaster.db"));

type Cells = Record<string, SQLInputValue>;

/** Inserts rows into a table that numbers them. An omitted column gets its default. */
const inserter = (db: DatabaseSync, table: string) => {
  let columns: ReadonlyArray<string> = [];
  let statement: StatementSync | undefined;
  return (row: Cells) => {
    if (statement === undefined) {
      columns = Object.keys(row);
      statement = db.prepare(
        `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
      );
    }
    return statement.run(...columns.map((column) => row[column] ?? null)).lastInsertRowid;
  };
};

/** The words of PostgreSQL's index: see `SearchTokens` of storage-sql. */
const inPostgres = (word: string) =>
  word
    .slice(0, -1)
    .toUpperCase()
    .replaceAll(/[^A-Z]/g, "$&+") + word.slice(-1);

/** The document of an issue in the index of words, as `SearchTokens` of storage-sql makes it. */
const document = (
  { description, labels, projectId, title }: Issue.NewIssue,
  number: number,
  seq: number,
  formOf = (word: string) => word,
) => {
  const block = Math.floor(seq / 65_536);
  const tokens = new Map([["", `p${block}:${projectId}`]]);
  const add = (letter: string, text: string) => {
    for (const word of Folding.words(text)) {
      if (!tokens.has(word)) tokens.set(word, `${letter}${block}:${formOf(word)}`);
    }
  };
  add("t", title);
  for (const label of labels) add("l", label);
  add("d", description ?? "");
  return [...tokens.values(), `n${block}:${formOf(String(number))}`].join(" ");
};

const numberOf = (issue: Corpus.SeedIssue, { projects }: Options) =>
  Math.ceil(indexOf(issue) / projects);

/** The columns of an issue that differ from their defaults. */
const cellsOf = (row: Issue.NewIssue, issue: Corpus.SeedIssue, options: Options) => ({
  id: row.id,
  project_id: row.projectId,
  status: row.status,
  priority: priorities.indexOf(row.priority),
  assigned_agent_id: row.assignedAgentId,
  paused_because: row.pausedBecause,
  labels: JSON.stringify(row.labels),
  external_ref: row.externalRef,
  attempts: 0,
  resumed: 0,
  link_count: 0,
  version: row.version,
  created_by_type: alice.type,
  created_by_id: alice.id,
  created_at: row.createdAt,
  updated_at: row.updatedAt,
  resolved_at: row.resolvedAt,
  closed_at: row.closedAt,
  title: row.title,
  description: row.description,
  number: numberOf(issue, options),
});

/** The rows of issues, with their documents in the index of words of PostgreSQL. */
export const rowsOf = function* (options: Options) {
  for (const some of batches(options)) {
    yield some.map((issue) => {
      const seq = indexOf(issue);
      const row = toRow(issue, seq, options);
      return {
        issue: { seq, ...cellsOf(row, issue, options) },
        document: document(row, numberOf(issue, options), seq, inPostgres),
      };
    });
  }
};

/** Writes the same rows as `byStores`, into a database that already has its schema. */
const bySql = async (dataDir: string, options: Options) => {
  const db = openDatabase(dataDir);
  try {
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -524288");
    const insertIssue = inserter(db, "issues");
    const insertActivity = inserter(db, "activity");
    const insertEvent = inserter(db, "events");
    const insertLabel = db.prepare(
      "INSERT INTO issue_labels (project_id, label, seq, updated_at, priority) VALUES (?, ?, ?, ?, ?)",
    );
    const insertText = db.prepare("INSERT INTO issue_text (rowid, body) VALUES (?, ?)");
    for (const some of batches(options)) {
      db.exec("BEGIN");
      for (const issue of some) {
        const row = toRow(issue, indexOf(issue), options);
        const entry = {
          id: eventId(issue),
          actor_type: alice.type,
          actor_id: alice.id,
          created_at: issue.createdAt,
          data: JSON.stringify({ status: issue.status }),
        };
        const seq = insertIssue(cellsOf(row, issue, options));
        for (const label of row.labels) {
          insertLabel.run(
            row.projectId,
            label,
            seq,
            row.updatedAt,
            priorities.indexOf(row.priority),
          );
        }
        insertText.run(seq, document(row, numberOf(issue, options), Number(seq)));
        insertActivity({ ...entry, issue_id: issue.id, kind: "created" });
        insertEvent({
          ...entry,
          kind: "issue.created",
          project_id: issue.projectId,
          subject_id: issue.id,
        });
      }
      db.exec("COMMIT");
      // Lets the event loop handle signals.
      await setImmediate();
    }
    db.exec(`INSERT INTO issue_counts (project_id, status, count)
      SELECT project_id, status, count(*) FROM issues GROUP BY project_id, status;
      INSERT INTO issue_numbers (project_id, last)
      SELECT project_id, max(number) FROM issues GROUP BY project_id`);
  } finally {
    db.close();
  }
};

/** All rows that seeding writes, as text. */
const contents = (dataDir: string) => {
  const db = openDatabase(dataDir);
  try {
    db.exec("CREATE VIRTUAL TABLE temp.terms USING fts5vocab('main', 'issue_text', 'row')");
    const tables = [
      "issues",
      "activity",
      "events",
      "chapters",
      "issue_counts",
      "issue_labels",
      "issue_numbers",
      "temp.terms",
    ];
    return JSON.stringify(tables.map((table) => db.prepare(`SELECT * FROM ${table}`).all()));
  } finally {
    db.close();
  }
};

/**
 * Fails if the rows written by plain SQL differ from the rows written by the stores. Plain SQL is
 * several times as fast.
 */
const checkSameRows = async () => {
  const some = { issues: 50, projects: 4, isVaried: true };
  const [stores, sql] = [Processes.path("seed-stores"), Processes.path("seed-sql")];
  await byStores(stores, some);
  await byStores(sql, { ...some, issues: 0 });
  await bySql(sql, some);
  if (contents(stores) !== contents(sql)) {
    throw new Error("bench/seed.ts writes other rows than the stores do: bring bySql up to date");
  }
  Processes.remove("seed-stores");
  Processes.remove("seed-sql");
};

let checked: Promise<void> | undefined;

/** Fills a data directory of Quartermaster. */
export const quartermaster = async (dataDir: string, options: Options): Promise<void> => {
  await (checked ??= checkSameRows());
  await byStores(dataDir, { ...options, issues: 0 });
  await bySql(dataDir, options);
};

/** Fills the baseline's database. Returns its key. */
export const baseline = (filename: string, options: Options): string => {
  const db = open(filename);
  try {
    for (const some of batches(options)) {
      db.transaction(() => {
        for (const issue of some)
          db.insert({ ...common(issue), paused: false, links: [] }, eventId(issue));
      });
    }
    const secret = randomBytes(32).toString("hex");
    db.addKey("bench", alice.id, createHash("sha256").update(secret).digest("hex"));
    return `qm_bench_${secret}`;
  } finally {
    db.close();
  }
};
