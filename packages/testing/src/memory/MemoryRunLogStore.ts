import { RunLogStore } from "@quartermaster/core";
import { Effect, Layer, Option } from "effect";
import { Database } from "./Database.ts";
import type { Tables } from "./Tables.ts";

const chunksOf = (tables: Tables, runId: string): ReadonlyArray<RunLogStore.LogChunk> =>
  Array.from(tables.runLogChunks.values())
    .filter((chunk) => chunk.runId === runId)
    .toSorted((a, b) => a.last - b.last);

const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((total, one) => total + one, 0);

const maxNotes = 1_000;

const notesOf = (tables: Tables, runId: string) =>
  Array.from(tables.runNotes.values())
    .filter((note) => note.runId === runId)
    .toSorted((a, b) => a.seq - b.seq);

const turnsOf = (tables: Tables, runId: string) =>
  Array.from(tables.runTurns.values())
    .filter((turn) => turn.runId === runId)
    .toSorted((a, b) => a.seq - b.seq);

/** Removes the notes and turns that match. */
export const removeNotes = (
  tables: Tables,
  where: (row: { readonly issueId: string; readonly runId: string }) => boolean,
): void => {
  for (const note of tables.runNotes.values()) {
    if (where(note)) tables.runNotes.delete(String(note.seq));
  }
  for (const turn of tables.runTurns.values()) {
    if (where(turn)) tables.runTurns.delete(String(turn.seq));
  }
};

/** Removes a log. */
const remove = (tables: Tables, runId: string): void => {
  for (const { seq } of chunksOf(tables, runId)) tables.runLogChunks.delete(String(seq));
  tables.runLogs.delete(runId);
};

/** Removes the logs and notes of an issue's runs. */
export const removeOfIssue = (tables: Tables, issueId: string): void => {
  for (const log of tables.runLogs.values()) {
    if (log.issueId === issueId) remove(tables, log.runId);
  }
  removeNotes(tables, (note) => note.issueId === issueId);
  for (const run of tables.runs.values()) {
    if (run.issueId === issueId) tables.runs.set(run.id, { ...run, note: null });
  }
};

const trim = (tables: Tables, runId: string, after: number, bytes: number) => {
  const removed: Array<RunLogStore.LogChunk> = [];
  let gone = 0;
  for (const chunk of chunksOf(tables, runId)) {
    if (chunk.first <= after) continue;
    if (gone >= bytes) break;
    gone += chunk.bytes;
    removed.push(chunk);
    tables.runLogChunks.delete(String(chunk.seq));
  }
  return { bytes: gone, entries: sum(removed.map(({ first, last }) => last - first + 1)) };
};

/** When the log's run ended: "" for a run that does not exist, null for one that has not ended. */
const endOf = (tables: Tables, runId: string): string | null => {
  const run = tables.runs.get(runId);
  if (run === undefined) return "";
  return run.status === "ended" ? (run.endedAt ?? "") : null;
};

const endedFirst = (tables: Tables, limit: number) =>
  Array.from(tables.runLogs.values())
    .filter(({ bytes }) => bytes > 0)
    .map(({ runId }) => ({ runId, end: endOf(tables, runId) ?? "~" }))
    .toSorted((a, b) => (`${a.end} ${a.runId}` < `${b.end} ${b.runId}` ? -1 : 1))
    .slice(0, limit)
    .map(({ runId }) => runId);

const prune = (tables: Tables, before: string, limit: number) => {
  const old = Array.from(tables.runLogs.values())
    .filter(({ runId, updatedAt }) => {
      const end = endOf(tables, runId);
      return updatedAt < before && end !== null && end < before;
    })
    .slice(0, limit);
  for (const { runId } of old) remove(tables, runId);
  return old.length;
};

export const layer = Layer.effect(
  RunLogStore.RunLogStore,
  Effect.map(Database, (database) =>
    RunLogStore.RunLogStore.of({
      get: (runId) => database.read(({ runLogs }) => Option.fromNullishOr(runLogs.get(runId))),
      put: (row) => database.write(({ runLogs }) => runLogs.set(row.runId, row)),
      append: (chunk) =>
        database.write(({ runLogChunks }) => {
          const seq = database.nextSeq();
          runLogChunks.set(String(seq), { ...chunk, seq });
        }),
      rewrite: ({ bytes, lines, seq }) =>
        database.write(({ runLogChunks }) => {
          const chunk = runLogChunks.get(String(seq));
          if (chunk !== undefined) runLogChunks.set(String(seq), { ...chunk, bytes, lines });
        }),
      list: (runId, after, limit) =>
        database.read((tables) =>
          chunksOf(tables, runId)
            .filter(({ last }) => last > after)
            .slice(0, limit),
        ),
      before: (runId, writer, number) =>
        database.read((tables) =>
          Option.fromNullishOr(
            chunksOf(tables, runId)
              .filter((chunk) => chunk.writer === writer && chunk.number < number)
              .toSorted((a, b) => b.number - a.number)[0],
          ),
        ),
      trim: (runId, after, bytes) => database.write((tables) => trim(tables, runId, after, bytes)),
      lastSeq: database.read(({ runLogChunks }) =>
        Math.max(0, ...Array.from(runLogChunks.values(), ({ seq }) => seq)),
      ),
      changedAfter: (seq) =>
        database.read(({ runLogChunks }) => [
          ...new Set(
            Array.from(runLogChunks.values())
              .filter((chunk) => chunk.seq > seq)
              .map(({ runId }) => runId),
          ),
        ]),
      bytesOf: (runIds) =>
        database.read(
          ({ runLogs }) =>
            new Map(
              runIds.flatMap((runId) => {
                const log = runLogs.get(runId);
                return log === undefined ? [] : [[runId, log.bytes]];
              }),
            ),
        ),
      addNote: (note) =>
        database.write((tables) => {
          const seq = database.nextSeq();
          tables.runNotes.set(String(seq), { ...note, seq });
          for (const old of notesOf(tables, note.runId).slice(0, -maxNotes)) {
            tables.runNotes.delete(String(old.seq));
          }
        }),
      notes: (runId) =>
        database.read((tables) =>
          notesOf(tables, runId).map(({ at, issueId, note }) => ({ runId, issueId, note, at })),
        ),
      addTurn: (turn) =>
        database.write((tables) => {
          const seq = database.nextSeq();
          tables.runTurns.set(String(seq), { ...turn, seq });
          for (const old of turnsOf(tables, turn.runId).slice(0, -maxNotes)) {
            tables.runTurns.delete(String(old.seq));
          }
        }),
      turns: (runId) =>
        database.read((tables) => turnsOf(tables, runId).map(({ seq: _, ...turn }) => turn)),
      totalBytes: database.read(({ runLogs }) =>
        sum(Array.from(runLogs.values(), ({ bytes }) => bytes)),
      ),
      endedFirst: (limit) => database.read((tables) => endedFirst(tables, limit)),
      prune: (before, limit) => database.write((tables) => prune(tables, before, limit)),
    }),
  ),
);
