import { Effect } from "effect";
import * as Timestamp from "../Timestamp.ts";
import { stateAt } from "./EffectSlot.ts";
import { EffectStore } from "./EffectStore.ts";
import type { NewestEffect } from "./IssueEffect.ts";

/** The number of effects that an agent gets. */
const shown = 50;

/** Returns the newest effects of an issue, newest first, so that the next attempt knows what was done. */
export const make = Effect.map(EffectStore, (store) =>
  Effect.fnUntraced(function* (issueId: string) {
    const now = yield* Timestamp.now;
    return (yield* store.list(issueId, shown)).map((slot): NewestEffect => {
      const { cycle, sentAt: at, server, summary, tool } = slot;
      return { server, tool, cycle, at, state: stateAt(slot, now), summary };
    });
  }),
);
