import { EffectSlot, EffectStore } from "@quartermaster/core";
import { Effect, Layer, Option } from "effect";
import { Database } from "./Database.ts";
import type { LockOrder } from "./LockOrder.ts";
import type { Tables } from "./Tables.ts";

type Slot = EffectSlot.EffectSlot;

const keyOf = ({ cycle, identity, issueId, n }: Slot) =>
  JSON.stringify([issueId, identity, cycle, n]);

const slotsOf = (tables: Tables, where: (slot: Slot) => boolean): ReadonlyArray<Slot> =>
  Array.from(tables.effects.values()).filter(where);

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** Removes the effects of an issue. */
export const removeOfIssue = (tables: Tables, issueId: string): void => {
  for (const slot of slotsOf(tables, (slot) => slot.issueId === issueId)) {
    tables.effects.delete(keyOf(slot));
  }
  tables.effectIssues.delete(issueId);
};

const wipe = (tables: Tables, wiped: ReadonlyArray<Slot>): number => {
  for (const slot of wiped) {
    tables.effects.set(keyOf(slot), { ...slot, result: null, summary: null });
  }
  return wiped.length;
};

const endOf = (tables: Tables, issueId: string) => {
  const issue = tables.issues.get(issueId);
  return issue?.closedAt ?? issue?.resolvedAt ?? null;
};

const extend = (tables: Tables, callIds: ReadonlyArray<string>, until: string) =>
  slotsOf(tables, ({ callId, state }) => state === "sent" && callIds.includes(callId)).map(
    (slot) => {
      tables.effects.set(keyOf(slot), { ...slot, until });
      return slot.callId;
    },
  );

const replace = (tables: Tables, callId: string, slot: Slot) => {
  const [stored] = slotsOf(tables, (other) => other.callId === callId);
  if (stored !== undefined) tables.effects.set(keyOf(stored), slot);
  return stored !== undefined;
};

/** Changes the slot of a call, unless `change` returns null, and returns whether it did. */
const changeSlot = (
  tables: Tables,
  locks: LockOrder | null,
  callId: string,
  change: (slot: Slot) => Slot | null,
) => {
  const [stored] = slotsOf(tables, (slot) => slot.callId === callId);
  const changed = stored === undefined ? null : change(stored);
  if (changed === null) return false;
  locks?.rowOf(changed.issueId, "effect");
  tables.effects.set(keyOf(changed), changed);
  return true;
};

export const layer = Layer.effect(
  EffectStore.EffectStore,
  Effect.map(Database, (database) =>
    EffectStore.EffectStore.of({
      issue: (issueId) =>
        database.read(({ effectIssues }) => Option.fromNullishOr(effectIssues.get(issueId))),
      putIssue: (row) =>
        database.write(({ effectIssues }, locks) => {
          locks?.rowOf(row.issueId, "effect");
          effectIssues.set(row.issueId, row);
        }),
      equal: (issueId, identity) =>
        database.read((tables) =>
          slotsOf(
            tables,
            (slot) => slot.issueId === issueId && slot.identity === identity,
          ).toSorted((a, b) => a.cycle - b.cycle || a.n - b.n),
        ),
      get: (callId) =>
        database.read((tables) =>
          Option.fromNullishOr(slotsOf(tables, (slot) => slot.callId === callId)[0]),
        ),
      insert: (slot) =>
        database.write(({ effects }, locks) => {
          locks?.rowOf(slot.issueId, "effect");
          effects.set(keyOf(slot), slot);
        }),
      replace: (callId, slot) =>
        database.write((tables, locks) => {
          locks?.rowOf(slot.issueId, "effect");
          return replace(tables, callId, slot);
        }),
      end: (callId, end) =>
        database.write((tables, locks) =>
          changeSlot(tables, locks, callId, (slot) => {
            if (!EffectSlot.mayEnd(slot)) return null;
            const isInstalled = tables.servers.get(slot.serverId) !== undefined;
            const kept = isInstalled ? {} : { result: null, summary: null };
            return { ...slot, ...end, ...kept };
          }),
        ),
      deliver: (callId, runId, at) =>
        database.write((tables, locks) => {
          changeSlot(tables, locks, callId, (slot) =>
            slot.state === "done" ? EffectSlot.deliveredTo(slot, runId, at) : null,
          );
        }),
      extend: (callIds, until) => database.write((tables) => extend(tables, callIds, until)),
      list: (issueId, limit) =>
        database.read((tables) =>
          slotsOf(tables, (slot) => slot.issueId === issueId)
            .toSorted((a, b) => compare(b.sentAt, a.sentAt) || compare(b.callId, a.callId))
            .slice(0, limit),
        ),
      overdue: (now, limit) =>
        database.read((tables) =>
          slotsOf(tables, ({ state, until }) => state === "sent" && until <= now)
            .toSorted((a, b) => compare(a.until, b.until) || compare(a.callId, b.callId))
            .slice(0, limit),
        ),
      notUnder: (keyId, afterCallId, limit) =>
        database.read((tables) =>
          slotsOf(
            tables,
            ({ callId, result }) =>
              result !== null && JSON.parse(result).keyId !== keyId && callId > afterCallId,
          )
            .toSorted((a, b) => compare(a.callId, b.callId))
            .slice(0, limit),
        ),
      wipeServer: (serverId) =>
        database.write((tables) => {
          wipe(
            tables,
            slotsOf(tables, (slot) => slot.serverId === serverId && slot.result !== null),
          );
        }),
      wipeResults: (before, limit) =>
        database.write((tables) =>
          wipe(
            tables,
            slotsOf(tables, ({ issueId, result }) => {
              const end = endOf(tables, issueId);
              return result !== null && end !== null && end < before;
            }).slice(0, limit),
          ),
        ),
    }),
  ),
);
