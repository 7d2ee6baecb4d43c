import { Effect } from "effect";
import * as Span from "../../../internal/Span.ts";
import * as Timestamp from "../../../Timestamp.ts";
import { Transactor } from "../../../Transactor.ts";
import type { InstalledServerRow, VerifyResult } from "../../InstalledServer.ts";
import { McpServerStore } from "../../McpServerStore.ts";
import { type Observation, Pins } from "../../tools/Pins.ts";
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

/** Verifies servers and stores the results. */
export const make = Effect.gen(function* () {
  const rows = yield* ServerRows.make;
  const store = yield* McpServerStore;
  const verifier = yield* Verifier;
  const pins = yield* Pins;
  const { transact } = yield* Transactor;

  const verify = Span.fn("McpServers.verify")(function* (
    serverId: string,
    { accept = false }: { readonly accept?: boolean | undefined } = {},
  ) {
    const before = yield* rows.get(serverId);
    const seen = accept ? yield* pins.rows(serverId) : [];
    const verification = yield* verifier.verify(before);
    return yield* transact(
      Effect.gen(function* () {
        const { listing } = verification;
        const { generation } = yield* rows.get(serverId);
        // The server that was verified no longer exists. A later verify may have judged the new one.
        if (generation !== before.generation) return stale(verification.result);
        const observed = listing === null ? null : yield* pins.observe(serverId, listing, seen);
        const server = yield* rows.get(serverId);
        const result =
          observed === null ? verification.result : withChanges(verification, observed);
        yield* store.update(afterVerify(server, result, yield* Timestamp.now));
        const { details, status } = result;
        yield* rows.record("mcp.verified", server, { status, details });
        return result;
      }),
    );
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
