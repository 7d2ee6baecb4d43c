import { type Context, Metric } from "effect";

const latencies = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const make = (method: string, route: string, status: string) => {
  const attributes = { method, route, status };
  return {
    total: Metric.counter("quartermaster_http_requests_total", {
      description: "Requests with a response, by route and status class.",
      incremental: true,
      attributes,
    }),
    seconds: Metric.histogram("quartermaster_http_request_duration_seconds", {
      description: "Time from the headers of the request to the end of the response.",
      boundaries: latencies,
      attributes,
    }),
  };
};

/** The gauge of open event streams. */
export const streams = Metric.gauge("quartermaster_sse_streams", {
  description: "Open Server-Sent Events streams.",
});

/** Records finished requests. Routes and methods are few, so each series is created once. */
export const recorder = () => {
  const series = new Map<string, ReturnType<typeof make>>();
  return (
    context: Context.Context<never>,
    method: string,
    route: string,
    status: number,
    seconds: number,
  ) => {
    const statusClass = `${Math.floor(status / 100)}xx`;
    const key = `${method} ${statusClass} ${route}`;
    let metrics = series.get(key);
    if (metrics === undefined) series.set(key, (metrics = make(method, route, statusClass)));
    metrics.total.updateUnsafe(1, context);
    metrics.seconds.updateUnsafe(seconds, context);
  };
};
