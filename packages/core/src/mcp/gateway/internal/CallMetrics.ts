import { Effect, Metric } from "effect";
import type { CallOutcome } from "../../ToolCall.ts";

const total = Metric.counter("quartermaster_tool_calls_total", {
  description: "Tool calls, by server and outcome. A call of an unknown tool has no server.",
  incremental: true,
});

const seconds = Metric.histogram("quartermaster_tool_call_duration_seconds", {
  description: "Duration of tool calls, by server and outcome.",
  boundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
});

/** Counts a finished call. `server` is the installed server's name; null if the tool is unknown. */
export const record = (server: string | null, outcome: CallOutcome, durationMs: number) => {
  const attributes = { server: server ?? "", outcome };
  return Effect.andThen(
    Metric.update(Metric.withAttributes(total, attributes), 1),
    Metric.update(Metric.withAttributes(seconds, attributes), durationMs / 1000),
  );
};
