import { ErrorClass } from "../ErrorClass.ts";
import { StopReason } from "./Run.ts";

/** A turn or finish by a run that no longer holds its issue. */
export class RunEnded extends ErrorClass<RunEnded>()(
  "RunEnded",
  { reason: StopReason.annotate({ description: "Why the run no longer holds its issue." }) },
  () => "Stop working on this issue: the run no longer holds it.",
) {}
