import { Errors, Id, Workers } from "@quartermaster/core";
import { Effect, Schema } from "effect";
import { agentOf, type CallingWorker } from "./ServiceTool.ts";

export const issueId = {
  issueId: Schema.optionalKey(Id.ServiceId).annotateKey({
    description: "The issue. Default: the issue of your run.",
  }),
};

/** The issue of the caller's run, for tools whose `issueId` may be omitted. */
export const make = Effect.map(Workers.Workers, (workers) =>
  Effect.fnUntraced(function* (caller: CallingWorker | null) {
    const { agentId, worker } = yield* agentOf(caller);
    const [run] = yield* workers.live(agentId, worker);
    return run === undefined ? yield* new Errors.NoRun({}) : run.issueId;
  }),
);
