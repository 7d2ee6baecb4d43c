import { Effect, Result } from "effect";
import type { PreconditionFailed } from "../../../CommonErrors.ts";
import * as Span from "../../../internal/Span.ts";
import * as Timestamp from "../../../Timestamp.ts";
import { Transactor } from "../../../Transactor.ts";
import type { InstalledServerRow, VerifyResult } from "../../InstalledServer.ts";
import { McpServerStore } from "../../McpServerStore.ts";
import * as Pinning from "../../Pinning.ts";
import type { ToolRow } from "../../Tool.ts";
import { PinnedTools } from "../../tools/PinnedTools.ts";
import { type Observation, Pins } from "../../tools/Pins.ts";
import { notAsShown } from "./Accepting.ts";
import * as ServerRows from "./ServerRows.ts";
import { type Verification, Verifier } from "./Verifier.ts";

/** The server after a verify: in status `error` if it failed, otherwise as it was before. */
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
    lastVerification: { ...result, verifiedAt: now },
    updatedAt: now,
  };
};

export interface VerifyOptions {
  /** True: tools that are as they were recorded before. A string: the tools with this `toolsDigest`. */
  readonly accept?: boolean | string | undefined;
}

/** Verifies servers and stores the results. */
export const make = Effect.gen(function* () {
  const rows = yield* ServerRows.make;
  const store = yield* McpServerStore;
  const verifier = yield* Verifier;
  const pins = yield* Pins;
  const pinned = yield* PinnedTools;
  const { transact } = yield* Transactor;

  /** Fails if the digest of the server's tools is another. Names what differs between `seen` and `now`. */
  const requireShown = Effect.fnUntraced(function* (
    server: InstalledServerRow,
    digest: string,
    seen: ReadonlyArray<ToolRow>,
    now: ReadonlyArray<ToolRow>,
  ) {
    if ((yield* pinned.read(server)).digest === digest) return;
    const same = Pinning.unchanged(seen, now);
    const names = new Set(
      [...seen, ...now].map(({ name }) => name).filter((name) => !same.has(name)),
    );
    return yield* notAsShown([...names]);
  });

  const verify = Span.fn("McpServers.verify")(function* (
    serverId: string,
    { accept = false }: VerifyOptions = {},
  ) {
    const before = yield* rows.get(serverId);
    yield* rows.sandboxOf(before.entry);
    /** What the caller may have seen. */
    const seen = accept === false ? [] : yield* pins.rows(serverId);
    if (typeof accept === "string") yield* requireShown(before, accept, seen, seen);
    const verification = yield* verifier.verify(before);

    /** Accepts what is still as it was before the request. */
    const accepted = Effect.gen(function* () {
      const now = yield* pins.rows(serverId);
      if (typeof accept === "string") {
        yield* requireShown(yield* rows.get(serverId), accept, seen, now);
      }
      return yield* pins.accept(serverId, Pinning.unchanged(seen, now));
    });

    const outcome = yield* transact(
      Effect.gen(function* () {
        const { listing } = verification;
        const { generation } = yield* rows.get(serverId);
        // The server that was verified no longer exists. A later verify may have judged the new one.
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
    // What the verify found is stored, also if it is not what the caller accepts.
    return yield* Effect.fromResult(outcome);
  });

  return { verify };
});

const stale = (result: VerifyResult): VerifyResult => ({
  ...result,
  details: `${result.details} The server was changed in the meantime, so this result is not stored: verify it again.`,
});

const withChanges = ({ result }: Verification, { gone, withheld }: Observation): VerifyResult => {
  const notes = [
    withheld.length > 0 &&
      `Changed or new, and withheld until a verify accepts them: ${withheld.join(", ")}.`,
    gone.length > 0 && `Gone: ${gone.join(", ")}.`,
  ].filter((note) => note !== false);
  return { ...result, details: [result.details, ...notes].join(" ") };
};
