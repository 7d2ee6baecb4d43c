import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { about, Authorization } from "./Access.ts";

const Ok = Schema.Struct({
  status: Schema.Literal("ok").annotateKey({ description: "Always `ok`." }),
});

const health = HttpApiEndpoint.get("health", "/healthz", { success: Ok }).annotateMerge(
  about({
    summary: "Check that the process is alive",
    description: "Returns 200 while the process runs.",
    access: null,
  }),
);

const ready = HttpApiEndpoint.get("ready", "/readyz", { success: Ok }).annotateMerge(
  about({
    summary: "Check that the server is ready",
    description:
      "Returns 200 while storage is reachable and the server accepts requests; otherwise responds with 503.",
    access: null,
  }),
);

const metrics = HttpApiEndpoint.get("metrics", "/metrics", {
  success: Schema.String.pipe(HttpApiSchema.asText()),
}).annotateMerge(
  about({
    summary: "Get metrics",
    description: "Returns metrics in the text format of Prometheus.",
    access: { role: "Admin", also: "Metrics", cookie: false },
  }),
);

const openapi = HttpApiEndpoint.get("openapi", "/openapi.json", {
  success: Schema.Json,
}).annotateMerge(
  about({
    summary: "Get the OpenAPI document",
    description: "Returns this API as an OpenAPI 3.1 document.",
    access: null,
  }),
);

const html = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/html; charset=utf-8" }));

const docs = HttpApiEndpoint.get("docs", "/docs", {
  success: html,
}).annotateMerge(
  about({
    summary: "Read the documentation",
    description:
      "Returns the index of the documentation. The pages and their search load nothing from other hosts.",
    access: null,
  }),
);

const apiPage = HttpApiEndpoint.get("apiPage", "/docs/api", {
  success: html,
}).annotateMerge(
  about({
    summary: "Read the API reference",
    description:
      "Returns a page with every route, its fields and its problems. It loads nothing from other hosts.",
    access: null,
  }),
);

/** The server itself. */
export class SystemApi extends HttpApiGroup.make("system")
  .add(metrics)
  .middleware(Authorization)
  .add(health, ready, openapi, docs, apiPage)
  .annotateMerge(
    OpenApi.annotations({ title: "System", description: "Health, metrics and the API reference." }),
  ) {}
