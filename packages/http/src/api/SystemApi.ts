import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { about, Authorization } from "./Access.ts";

const Ok = Schema.Struct({ status: Schema.Literal("ok") });

const health = HttpApiEndpoint.get("health", "/healthz", { success: Ok }).annotateMerge(
  about({ summary: "Alive", description: "Answers while the process lives.", access: null }),
);

const ready = HttpApiEndpoint.get("ready", "/readyz", { success: Ok }).annotateMerge(
  about({
    summary: "Ready",
    description: "Answers 200 while storage is reachable and the server takes requests, else 503.",
    access: null,
  }),
);

const metrics = HttpApiEndpoint.get("metrics", "/metrics", {
  success: Schema.String.pipe(HttpApiSchema.asText()),
}).annotateMerge(
  about({
    summary: "Metrics",
    description: "In Prometheus' text format.",
    access: { role: "Admin", cookie: false },
  }),
);

const openapi = HttpApiEndpoint.get("openapi", "/openapi.json", {
  success: Schema.Json,
}).annotateMerge(
  about({ summary: "This contract", description: "The OpenAPI 3.1 document.", access: null }),
);

const docs = HttpApiEndpoint.get("docs", "/docs", {
  success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/html; charset=utf-8" })),
}).annotateMerge(
  about({
    summary: "This contract, for people",
    description: "A page that works with no internet.",
    access: null,
  }),
);

/** The server itself. */
export class SystemApi extends HttpApiGroup.make("system")
  .add(metrics)
  .middleware(Authorization)
  .add(health, ready, openapi, docs)
  .annotateMerge(OpenApi.annotations({ title: "System", description: "The server itself." })) {}
