import { Schema } from "effect";
import { ErrorClass, text, texts } from "../ErrorClass.ts";
import { reasonInWords, StopReason } from "./Run.ts";

/** The agent still holds a live run, or issues are assigned to it. */
export class InUse
  extends /* @__PURE__ */ ErrorClass<InUse>()(
    "InUse",
    {},
    () =>
      "The agent has live runs or assigned issues. Finish its runs and reassign its issues first.",
  ) {}

/** The call requires a run, and the caller holds none. */
export class NoRun extends ErrorClass<NoRun>()(
  "NoRun",
  {
    runIds: Schema.optionalKey(
      texts("The agent's live runs, which other processes hold; missing if it does not matter."),
    ),
  },
  () => "You hold no run. Pick the issue up first.",
) {}

/**
 * A call that acts for a run that has ended, or has to stop, and may no longer do this. See
 * `Fence`.
 */
export class RunEnded extends ErrorClass<RunEnded>()(
  "RunEnded",
  {
    runId: text("The run that ended or has to stop."),
    reason: StopReason.annotate({
      description: "The reason why the run ended or has to stop.",
    }),
  },
  ({ reason }) => `The run may not do this: ${reasonInWords[reason]}. Stop working on the issue.`,
) {}
