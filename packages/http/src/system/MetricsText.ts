import { Context, type Effect } from "effect";
import { PrometheusMetrics } from "effect/observability";

/** All metrics in the text format of Prometheus, including metrics of the host. */
export const MetricsText = Context.Reference<Effect.Effect<string>>(
  "@quartermaster/http/system/MetricsText",
  { defaultValue: () => PrometheusMetrics.format() },
);
