import { ErrorClass, text } from "../ErrorClass.ts";
import { StopReason } from "./Run.ts";

/** The agent still holds a live run, or issues are assigned to it. */
export class InUse extends ErrorClass<InUse>()(
  "InUse",
  {},
  () => "Finish the agent's runs and reassign its issues first: the agent is in use.",
) {}

/** A call that needs a run, by a caller that holds none. */
export class NoRun extends ErrorClass<NoRun>()(
  "NoRun",
  {},
  () => "Pick the issue up first: you hold no run.",
) {}

/** A turn, a finish or a change of an issue by a run that no longer holds its issue, or has to stop. */
export class RunEnded extends ErrorClass<RunEnded>()(
  "RunEnded",
  {
    runId: text("The run that no longer holds its issue."),
    reason: StopReason.annotate({ description: "Why the run no longer holds its issue." }),
  },
  () => "Stop working on this issue: the run no longer holds it.",
) {}
