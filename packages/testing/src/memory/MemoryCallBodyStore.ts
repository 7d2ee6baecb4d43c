import { CallBodyStore } from "@quartermaster/core";
import { Effect, Layer, Option } from "effect";
import { Database } from "./Database.ts";
import * as Rows from "./Rows.ts";
import type { Tables } from "./Tables.ts";

type Body = CallBodyStore.CallBody;

const order = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Removes the bodies of an issue's calls. */
export const removeOfIssue = ({ callBodies }: Tables, issueId: string): void => {
  Rows.prune(callBodies, Infinity, (body) => body.issueId === issueId);
};

const oldest = ({ callBodies }: Tables): ReadonlyArray<Body> =>
  Array.from(callBodies.values()).toSorted(
    (a, b) => order(a.endedAt, b.endedAt) || order(a.callId, b.callId),
  );

const removeOldest = (tables: Tables, bytes: number, limit: number): number => {
  let removed = 0;
  for (const body of oldest(tables).slice(0, limit)) {
    if (removed >= bytes) break;
    tables.callBodies.delete(body.callId);
    removed += body.bytes;
  }
  return removed;
};

export const layer = Layer.effect(
  CallBodyStore.CallBodyStore,
  Effect.map(Database, (database) =>
    CallBodyStore.CallBodyStore.of({
      put: (bodies) =>
        database.write(({ callBodies, issues, servers }) => {
          for (const body of bodies) {
            const hasIssue = body.issueId === null || issues.get(body.issueId) !== undefined;
            if (hasIssue && servers.get(body.serverId) !== undefined) {
              callBodies.set(body.callId, body);
            }
          }
        }),
      get: (callId) =>
        database.read(({ callBodies }) => Option.fromNullishOr(callBodies.get(callId))),
      totalBytes: database.read((tables) =>
        oldest(tables).reduce((sum, { bytes }) => sum + bytes, 0),
      ),
      removeOfServer: (serverId, limit) =>
        database.write(({ callBodies }) =>
          Rows.prune(callBodies, limit, (body) => body.serverId === serverId),
        ),
      prune: (before, limit) =>
        database.write((tables) => {
          const due = oldest(tables).filter(({ endedAt }) => endedAt < before);
          const removed = due.slice(0, limit);
          for (const { callId } of removed) tables.callBodies.delete(callId);
          return removed.length;
        }),
      removeOldest: (bytes, limit) =>
        database.write((tables) => removeOldest(tables, bytes, limit)),
      notUnder: (keyId, after, limit) =>
        database.read(({ callBodies }) =>
          Array.from(callBodies.values())
            .filter(
              (body) =>
                body.keyId !== keyId &&
                (after === null ||
                  (order(body.keyId, after.keyId) || order(body.callId, after.callId)) > 0),
            )
            .toSorted((a, b) => order(a.keyId, b.keyId) || order(a.callId, b.callId))
            .slice(0, limit),
        ),
    }),
  ),
);
