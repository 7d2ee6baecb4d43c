import { KeyStore, Transactor } from "@quartermaster/core";
import { Effect, Fiber, Layer } from "effect";
import { HttpServerResponse } from "effect/http";
import * as Problem from "../api/Problem.ts";
import * as Docs from "../docs/Docs.ts";
import * as Reply from "../endpoint/Reply.ts";
import * as Handlers from "../handlers/Handlers.ts";
import { HttpOptions } from "../HttpOptions.ts";
import * as Refused from "../request/Refused.ts";
import { System } from "../Routes.ts";
import * as ApiPage from "./ApiPage.ts";
import { MetricsText } from "./MetricsText.ts";

const ok = Reply.ok(Effect.succeed({ status: "ok" } as const));

const unavailable = (detail: string) => Refused.from(new Problem.Unavailable({ detail }));

const ending = unavailable("This server is shutting down. Use another server.");
const outOfReach = unavailable("Storage cannot store changes. Retry in a few seconds.");

/**
 * The time limit of the readiness check, so that it responds within 2 seconds. A process that locks
 * the database for longer blocks all writes.
 */
const patience = "1500 millis";

/** Runs the effect in a fiber of its own: a driver may take long to interrupt a statement. */
const detached = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.forkDetach(effect), (fiber) =>
    Effect.onInterrupt(Fiber.join(fiber), () => Effect.sync(() => fiber.interruptUnsafe())),
  );

/** The handlers of the group `system`: health, metrics and the contract itself. */
export const layer = Layer.effect(
  System,
  Effect.gen(function* () {
    const { shutdown } = yield* HttpOptions;
    const metrics = yield* MetricsText;
    const keys = yield* KeyStore.KeyStore;
    const { check } = yield* Transactor.Transactor;
    // Concurrent checks share a commit.
    const reachable = detached(Effect.andThen(keys.get("none"), check)).pipe(
      Effect.timeout(patience),
      Effect.matchEffect({
        onFailure: () => Effect.succeed(outOfReach),
        onSuccess: () => ok,
      }),
    );
    const openapi = yield* ApiPage.openapi;
    const apiPage = yield* ApiPage.page;
    const docs = yield* Docs.make;
    return Handlers.of("system", {
      health: () => ok,
      ready: () => (shutdown.hasStarted() ? Effect.succeed(ending) : reachable),
      metrics: () =>
        Effect.map(metrics, (text) =>
          HttpServerResponse.text(text, {
            contentType: "text/plain; version=0.0.4; charset=utf-8",
          }),
        ),
      openapi: () => openapi,
      docs: ({ request }) => docs.index(request),
      apiPage: () => apiPage,
    });
  }),
);
