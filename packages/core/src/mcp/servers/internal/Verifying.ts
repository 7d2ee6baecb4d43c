import { Effect, Fiber, Result, type Scope } from "effect";
import type { NotFound, PreconditionFailed, StorageError } from "../../../CommonErrors.ts";
import * as Span from "../../../internal/Span.ts";
import * as Timestamp from "../../../Timestamp.ts";
import { Transactor } from "../../../Transactor.ts";
import type { InstalledServerRow, VerifyResult } from "../../InstalledServer.ts";
import { McpServerStore } from "../../McpServerStore.ts";
import * as Outage from "../../Outage.ts";
import type { ToolRow } from "../../Tool.ts";
import { PinnedTools } from "../../tools/PinnedTools.ts";
import { type Observation, Pins } from "../../tools/Pins.ts";
import * as Pinning from "../../untrusted/Pinning.ts";
import { notAsShown } from "./Accepting.ts";
import * as ServerRows from "./ServerRows.ts";
import { type Verification, Verifier } from "./Verifier.ts";

/**
 * The server after a verification: in status `error` if it failed, otherwise with its previous
 * status. A failed verification of a server that is already out does not change its retry time.
 */
export const afterVerify = (
  server: InstalledServerRow,
  result: VerifyResult,
  now: string,
): InstalledServerRow => {
  const formerStatus = server.status === "error" ? server.formerStatus : server.status;
  return {
    ...server,
    formerStatus,
    status: result.status === "error" ? "error" : formerStatus,
    outage:
      result.status === "error"
        ? outageOf(server, {
            since: now,
            now,
            reason: result.details,
            heals: formerStatus === "enabled",
          })
        : null,
    lastVerification: { ...result, verifiedAt: now },
    updatedAt: now,
  };
};

const outageOf = (
  { outage }: InstalledServerRow,
  failure: Parameters<typeof Outage.begin>[0],
): Outage.Outage =>
  outage === null ? Outage.begin(failure) : { ...outage, reason: failure.reason };

export interface VerifyOptions {
  /**
   * True accepts the tools that have not changed since they were recorded. A string accepts the
   * tools with this `toolsDigest`.
   */
  readonly accept?: boolean | string | undefined;
}

/** Starts effects in a scope. An effect whose key is already in flight is not started again. */
const startIn = <A, E>(scope: Scope.Scope) => {
  const inFlight = new Map<string, Fiber.Fiber<A, E>>();
  return Effect.fnUntraced(function* <R>(key: string | null, effect: Effect.Effect<A, E, R>) {
    const running = key === null ? undefined : inFlight.get(key);
    if (running !== undefined) return running;
    const started = yield* Effect.forkIn(effect, scope);
    if (key !== null) {
      inFlight.set(key, started);
      started.addObserver(() => inFlight.delete(key));
    }
    return started;
  }, Effect.uninterruptible);
};

/** Verifies servers and stores the results. */
export const make = Effect.gen(function* () {
  const rows = yield* ServerRows.make;
  const store = yield* McpServerStore;
  const verifier = yield* Verifier;
  const pins = yield* Pins;
  const pinned = yield* PinnedTools;
  const { transact } = yield* Transactor;
  const start = startIn<VerifyResult, NotFound | PreconditionFailed | StorageError>(
    yield* Effect.scope,
  );

  /**
   * Fails if the digest of the server's tools has changed. Names the differences between `seen` and
   * `now`.
   */
  const requireShown = Effect.fnUntraced(function* (
    server: InstalledServerRow,
    digest: string,
    seen: ReadonlyArray<ToolRow>,
    now: ReadonlyArray<ToolRow>,
  ) {
    if ((yield* pinned.read(server)).digest === digest) return;
    const same = Pinning.unchanged(seen, now);
    const keys = new Set([...seen, ...now].map(Pinning.keyOf).filter((key) => !same.has(key)));
    return yield* notAsShown(Pinning.namesOf(keys));
  });

  /** Verifies a server that was in the state `before` at the checks. */
  const run = Effect.fnUntraced(function* (
    before: InstalledServerRow,
    accept: boolean | string,
    /** The tools that the caller may have seen. */
    seen: ReadonlyArray<ToolRow>,
  ) {
    const serverId = before.id;
    const verification = yield* verifier.verify(before);

    /** Accepts the tools that have not changed since before the request. */
    const accepted = Effect.gen(function* () {
      const now = yield* pins.rows(serverId);
      const server = yield* rows.get(serverId);
      if (typeof accept === "string") yield* requireShown(server, accept, seen, now);
      const sameInstructions = server.instructions.current === before.instructions.current;
      return yield* pins.accept(serverId, Pinning.unchanged(seen, now), sameInstructions);
    });

    const outcome = yield* transact(
      Effect.gen(function* () {
        const { listing } = verification;
        const { generation } = yield* rows.get(serverId);
        // The verified server no longer exists. A later verification may have checked the new one.
        if (generation !== before.generation) return Result.succeed(stale(verification.result));
        let observed = listing === null ? null : yield* pins.observe(serverId, listing);
        let refusal: PreconditionFailed | null = null;
        if (observed !== null && accept !== false) {
          const result = yield* Effect.result(accepted);
          if (Result.isSuccess(result)) observed = result.success;
          else if (result.failure._tag === "PreconditionFailed") refusal = result.failure;
          else return yield* result.failure;
        }
        const server = yield* rows.get(serverId);
        const result =
          observed === null ? verification.result : withChanges(verification, observed);
        yield* store.update(afterVerify(server, result, yield* Timestamp.now));
        const { details, status } = result;
        yield* rows.record("mcp.verified", server, { status, details });
        return refusal === null ? Result.succeed(result) : Result.fail(refusal);
      }),
    );
    // Stores the result of the verification, even if the caller does not accept it.
    return yield* Effect.fromResult(outcome);
  });

  /**
   * Starts a verification, or joins an equal one in flight. It runs in the scope of the service, so
   * its result is stored even if no caller waits.
   */
  const begin = Effect.fnUntraced(function* (
    serverId: string,
    { accept = false }: VerifyOptions = {},
  ) {
    const before = yield* rows.get(serverId);
    yield* rows.sandboxOf(before.entry);
    const seen = accept === false ? [] : yield* pins.rows(serverId);
    if (typeof accept === "string") yield* requireShown(before, accept, seen, seen);
    const verifying = Effect.tapError(run(before, accept, seen), (error) =>
      error._tag === "StorageError"
        ? Effect.logError("Cannot store the result of a verification", error)
        : Effect.void,
    );
    return yield* start(accept === false ? `${serverId} ${before.generation}` : null, verifying);
  });

  return {
    verify: Span.fn("McpServers.verify")(function* (serverId: string, options?: VerifyOptions) {
      return yield* Fiber.join(yield* begin(serverId, options));
    }),
    startVerify: Span.fn("McpServers.startVerify")(function* (
      serverId: string,
      options?: VerifyOptions,
    ) {
      yield* begin(serverId, options);
      return yield* rows.render(yield* rows.get(serverId));
    }),
  };
});

const stale = (result: VerifyResult): VerifyResult => ({
  ...result,
  details: `${result.details} The server changed in the meantime, so this result was not stored. Verify it again.`,
});

const withChanges = (
  { result }: Verification,
  { gone, instructions, withheld }: Observation,
): VerifyResult => {
  const notes = [
    withheld.length > 0 &&
      `Changed or new, and withheld until a person accepts them: ${withheld.join(", ")}.`,
    (instructions === "changed" || instructions === "new") &&
      `Its instructions are ${instructions}, and withheld until a person accepts them.`,
    gone.length > 0 && `No longer listed: ${gone.join(", ")}.`,
  ].filter((note) => note !== false);
  return { ...result, details: [result.details, ...notes].join(" ") };
};
