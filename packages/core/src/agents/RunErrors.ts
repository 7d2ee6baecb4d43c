import { Schema } from "effect";
import { StopReason } from "./Run.ts";

/** A turn or finish by a run that no longer holds its issue. */
export class RunEnded extends Schema.TaggedError<RunEnded>()("RunEnded", { reason: StopReason }) {
  override get message() {
    return "Stop working on this issue: the run no longer holds it.";
  }
}
