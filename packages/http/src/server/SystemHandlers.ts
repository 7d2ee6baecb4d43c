import { KeyStore } from "@quartermaster/core";
import { Effect } from "effect";
import { HttpServerResponse } from "effect/http";
import { Api } from "../api/Api.ts";
import * as Problem from "../api/Problem.ts";
import * as Group from "../handlers/Group.ts";
import { HttpOptions } from "../HttpOptions.ts";
import * as Refused from "../middleware/Refused.ts";
import * as Docs from "./Docs.ts";
import { MetricsText } from "./ServerMetrics.ts";

const ok = { status: "ok" } as const;

const unavailable = (detail: string) => Refused.from(new Problem.Unavailable({ detail }));

const ending = unavailable("Ask another server: this one is ending.");
const outOfReach = unavailable("Ask again in a moment: storage is out of reach.");

/** The routes of the group `system`: health, metrics and the contract itself. */
export const layer = Group.group(
  Api,
  "system",
  Effect.fn(function* (handlers) {
    const { shutdown } = yield* HttpOptions;
    const metrics = yield* MetricsText;
    const keys = yield* KeyStore.KeyStore;
    const reachable = Effect.orElseSucceed(Effect.as(keys.get("none"), ok), () => outOfReach);
    const openapi = yield* Docs.openapi;
    const page = yield* Docs.page;
    return handlers
      .handle("health", () => Effect.succeed(ok))
      .handle("ready", () => (shutdown.isUnderWay() ? Effect.succeed(ending) : reachable))
      .handleRaw("metrics", () =>
        Effect.map(metrics, (text) =>
          HttpServerResponse.text(text, {
            contentType: "text/plain; version=0.0.4; charset=utf-8",
          }),
        ),
      )
      .handleRaw("openapi", () => openapi)
      .handleRaw("docs", () => page);
  }),
);
