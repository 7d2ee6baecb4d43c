import { Schema } from "effect";
import { ServiceId } from "../Id.ts";
import * as Text from "../Text.ts";
import * as Timestamp from "../Timestamp.ts";
import { type EffectSlot, EffectState, stateAt } from "./EffectSlot.ts";

/** A call that happens once, as readers of its issue see it. */
export const IssueEffect = Schema.Struct({
  callId: ServiceId.annotateKey({ description: "The call that sent it last." }),
  runId: ServiceId.annotateKey({ description: "The run of that call." }),
  cycle: Schema.Int.annotateKey({
    description:
      "The cycle of the issue, from 1. Effects of earlier cycles are not repeated results.",
  }),
  n: Schema.Int.annotateKey({ description: "Counts equal calls of a cycle, from 1." }),
  server: Schema.String.annotateKey({ description: "The name of the server." }),
  tool: Schema.String.annotateKey({ description: "The name of the tool at its server." }),
  state: EffectState.annotateKey({
    description:
      "`sent`: in flight. `done`: a result arrived. `failed`: not carried out. `unknown`: the reply was lost, and equal calls are refused until it is settled.",
  }),
  sentAt: Timestamp.Timestamp.annotateKey({ description: "When the call was sent." }),
  endedAt: Schema.NullOr(Timestamp.Timestamp).annotateKey({
    description: "When its end was stored; null before.",
  }),
  summary: Schema.NullOr(Schema.String).annotateKey({
    description: "The first 200 characters of its result, or of the note of its settlement.",
  }),
}).annotate({
  identifier: "IssueEffect",
  description: "A call of a tool that happens once for an issue.",
});
export type IssueEffect = typeof IssueEffect.Type;

/** An effect for an agent that works on its issue. */
export const NewestEffect = Schema.Struct({
  server: IssueEffect.fields.server,
  tool: IssueEffect.fields.tool,
  cycle: IssueEffect.fields.cycle,
  at: Timestamp.Timestamp.annotateKey({ description: "When the call was sent." }),
  state: IssueEffect.fields.state,
  summary: IssueEffect.fields.summary,
}).annotate({
  identifier: "NewestEffect",
  description: "A call of a tool that happens once, for an agent that works on its issue.",
});
export type NewestEffect = typeof NewestEffect.Type;

export const EffectSettle = Schema.Struct({
  happened: Schema.Boolean.annotateKey({ description: "Whether the effect took place." }),
  note: Text.between(1, 2_000).annotateKey({
    description: "The evidence, 1 to 2,000 characters. Equal calls get it as their result.",
  }),
}).annotate({
  identifier: "EffectSettle",
  description: "The decision on an effect whose reply was lost.",
});

/** The effect at a time. */
export const toEffect = (slot: EffectSlot, now: Timestamp.Timestamp): IssueEffect => {
  const { callId, cycle, endedAt, n, runId, sentAt, server, summary, tool } = slot;
  return {
    callId,
    runId,
    cycle,
    n,
    server,
    tool,
    state: stateAt(slot, now),
    sentAt,
    endedAt,
    summary,
  };
};
