import { Schema } from "effect";
import { ErrorClass, text, texts } from "../ErrorClass.ts";
import { StopReason } from "./Run.ts";

/** The agent still holds a live run, or issues are assigned to it. */
export class InUse extends ErrorClass<InUse>()(
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

/** A turn, a finish or a change of an issue by a run that no longer holds its issue, or has to stop. */
export class RunEnded extends ErrorClass<RunEnded>()(
  "RunEnded",
  {
    runId: text("The run that no longer holds its issue."),
    reason: StopReason.annotate({
      description: "The reason why the run no longer holds its issue.",
    }),
  },
  () => "The run no longer holds this issue. Stop working on it.",
) {}
