import { Schema } from "effect";
import { Actor } from "../Actor.ts";
import { RunOutcome, StopReason } from "../agents/Run.ts";
import { EffectState } from "../effects/EffectSlot.ts";
import { Timestamp } from "../Timestamp.ts";

const id = (description: string) => Schema.optionalKey(Schema.String).annotateKey({ description });

/** One entry of the timeline of a run. */
export const RunTimelineEntry = Schema.Struct({
  kind: Schema.Literals([
    "started",
    "turn",
    "note",
    "call",
    "effect",
    "commented",
    "attached",
    "asked",
    "answered",
    "stop",
    "takenOver",
    "ended",
  ]).annotateKey({
    description:
      "The kind of entry. `turn`: a turn that had a note or returned comments. `stop`: the agent learned that it has to stop.",
  }),
  at: Timestamp.annotateKey({ description: "When it happened." }),
  actor: Schema.optionalKey(Actor).annotateKey({
    description: "The user or agent that commented, attached, asked or answered.",
  }),
  note: id("The note."),
  callId: id("The call of a tool."),
  tool: id("With `call` and `effect`: the tool, as `<server>/<tool>`."),
  state: Schema.optionalKey(EffectState).annotateKey({
    description: "With `effect`: the state of the call, which happens once.",
  }),
  commentId: id("The comment; with `ended`, the comment of the hand-in."),
  commentIds: Schema.optionalKey(Schema.Array(Schema.String)).annotateKey({
    description: "The comments that the turn returned.",
  }),
  attachmentId: id("The attachment."),
  questionId: id("The question."),
  runId: id("With `takenOver`: the run that continues."),
  outcome: Schema.optionalKey(RunOutcome).annotateKey({
    description: "With `ended`: the outcome of the hand-in; missing without one.",
  }),
  reason: Schema.optionalKey(StopReason).annotateKey({
    description: "With `stop` and `ended`: the reason.",
  }),
}).annotate({
  identifier: "RunTimelineEntry",
  description: "One entry of the timeline of a run.",
});
export interface RunTimelineEntry extends Schema.Schema.Type<typeof RunTimelineEntry> {}
