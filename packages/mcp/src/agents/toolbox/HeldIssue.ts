import { Errors, Id, Workers } from "@quartermaster/core";
import { Effect, Schema } from "effect";
import { agentOf, type CallingWorker } from "./ServiceTool.ts";

export const issueId = {
  issueId: Schema.optionalKey(Id.ServiceId).annotateKey({
    description: "The issue. Default: the issue of your run.",
  }),
};

/**
 * The issue of the caller's run, for tools whose `issueId` may be omitted. A run that has ended counts: its fence then
 * refuses what the tool does.
 */
export const make = Effect.map(Workers.Workers, (workers) =>
  Effect.fnUntraced(function* (caller: CallingWorker | null) {
    const { agentId, worker } = yield* agentOf(caller);
    const { run } = yield* workers.acting(agentId, worker);
    if (run !== null) return run.issueId;
    const others = yield* workers.ofAgent(agentId);
    return yield* new Errors.NoRun({ runIds: others.map(({ runId }) => runId) });
  }),
);
