import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { about, Authorization } from "./Access.ts";

const Ok = Schema.Struct({
  status: Schema.Literal("ok").annotateKey({ description: "Always `ok`." }),
});

const health = HttpApiEndpoint.get("health", "/healthz", { success: Ok }).annotateMerge(
  about({
    summary: "Check that the process lives",
    description: "Returns 200 while the process lives.",
    access: null,
  }),
);

const ready = HttpApiEndpoint.get("ready", "/readyz", { success: Ok }).annotateMerge(
  about({
    summary: "Check that the server is ready",
    description:
      "Returns 200 while storage is reachable and the server accepts requests, otherwise 503.",
    access: null,
  }),
);

const metrics = HttpApiEndpoint.get("metrics", "/metrics", {
  success: Schema.String.pipe(HttpApiSchema.asText()),
}).annotateMerge(
  about({
    summary: "Get metrics",
    description: "In the text format of Prometheus.",
    access: { role: "Admin", also: "Metrics", cookie: false },
  }),
);

const openapi = HttpApiEndpoint.get("openapi", "/openapi.json", {
  success: Schema.Json,
}).annotateMerge(
  about({ summary: "Get this contract", description: "The OpenAPI 3.1 document.", access: null }),
);

const html = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/html; charset=utf-8" }));

const docs = HttpApiEndpoint.get("docs", "/docs", {
  success: html,
}).annotateMerge(
  about({
    summary: "Read the documentation",
    description: "The index of the documentation. Its pages and their search need no internet.",
    access: null,
  }),
);

const apiPage = HttpApiEndpoint.get("apiPage", "/docs/api", {
  success: html,
}).annotateMerge(
  about({
    summary: "Read this contract",
    description: "A page with every route, its fields and refusals. It needs no internet.",
    access: null,
  }),
);

/** The server itself. */
export class SystemApi extends HttpApiGroup.make("system")
  .add(metrics)
  .middleware(Authorization)
  .add(health, ready, openapi, docs, apiPage)
  .annotateMerge(
    OpenApi.annotations({ title: "System", description: "Health, metrics and the contract." }),
  ) {}
