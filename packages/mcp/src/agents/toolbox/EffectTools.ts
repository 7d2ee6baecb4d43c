import { Id, IssueEffect, IssueEffects, type Workers } from "@quartermaster/core";
import { Effect, Schema } from "effect";
import * as HeldIssue from "./HeldIssue.ts";
import { define, type ServiceTool, updates } from "./ServiceTool.ts";

const SettleArguments = Schema.Struct({
  callId: Id.ServiceId.annotateKey({ description: "The id of the call." }),
  happened: IssueEffect.EffectSettle.fields.happened.annotateKey({
    description: "Whether it happened.",
  }),
  note: IssueEffect.EffectSettle.fields.note.annotateKey({ description: "The evidence." }),
});

/** The tool that settles calls that happen once and whose reply was lost. */
export const make: Effect.Effect<
  ReadonlyArray<ServiceTool>,
  never,
  IssueEffects.IssueEffects | Workers.Workers
> = Effect.gen(function* () {
  const effects = yield* IssueEffects.IssueEffects;
  const heldIssue = yield* HeldIssue.make;

  return [
    define({
      name: "effect_settle",
      title: "Settle a call",
      description: "Says whether a call whose reply was lost happened. Look first.",
      takes: SettleArguments,
      annotations: updates,
      run: Effect.fnUntraced(function* ({ callId, ...settled }, caller) {
        const { state } = yield* effects.settle(yield* heldIssue(caller), callId, settled);
        return { callId, state };
      }),
    }),
  ];
});
