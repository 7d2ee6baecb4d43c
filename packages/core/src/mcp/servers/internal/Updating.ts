import { Effect, Struct } from "effect";
import { UnknownReference } from "../../../CommonErrors.ts";
import * as Input from "../../../Input.ts";
import * as Span from "../../../internal/Span.ts";
import * as Timestamp from "../../../Timestamp.ts";
import { Transactor } from "../../../Transactor.ts";
import * as CallSettings from "../../CallSettings.ts";
import { CatalogEntries } from "../../catalog/CatalogEntries.ts";
import type { CatalogEntry } from "../../CatalogEntry.ts";
import { Connections } from "../../connections/Connections.ts";
import { GivenUpdate, type InstalledServerRow } from "../../InstalledServer.ts";
import { VerificationFailed } from "../../McpErrors.ts";
import { McpOptions } from "../../McpOptions.ts";
import { McpServerStore } from "../../McpServerStore.ts";
import * as Once from "../../Once.ts";
import * as Outage from "../../Outage.ts";
import * as ServerLimits from "../../ServerLimits.ts";
import { canonical } from "../../Tool.ts";
import { Pins } from "../../tools/Pins.ts";
import type { Changes } from "../../values/Values.ts";
import { Variables } from "../../values/Variables.ts";
import { PackageRetention } from "./PackageRetention.ts";
import * as ServerRows from "./ServerRows.ts";
import { type Verification, Verifier } from "./Verifier.ts";
import { afterVerify } from "./Verifying.ts";

const settingsOf = (server: InstalledServerRow) => ({
  name: server.name,
  version: server.entry,
  ...ServerLimits.of(server),
  ...Once.of(server),
  ...CallSettings.of(server),
});

/** The names of the settings that differ. */
const changedSettings = (
  former: InstalledServerRow,
  next: InstalledServerRow,
): ReadonlyArray<string> => {
  const [before, after] = [settingsOf(former), settingsOf(next)];
  return Struct.keys(after).filter((name) => canonical(before[name]) !== canonical(after[name]));
};

/**
 * Changes values, names and limits, and updates servers to the catalog's version. An update is
 * verified first, outside of any transaction. Then one transaction checks everything again and
 * applies it.
 */
export const make = Effect.gen(function* () {
  const rows = yield* ServerRows.make;
  const store = yield* McpServerStore;
  const catalog = yield* CatalogEntries;
  const variables = yield* Variables;
  const verifier = yield* Verifier;
  const pins = yield* Pins;
  const connections = yield* Connections;
  const retention = yield* PackageRetention;
  const { transact } = yield* Transactor;
  const defaults = yield* McpOptions;
  const decode = Input.decoder(GivenUpdate);

  /** Verifies the entry with the values that the server would have. */
  const verifyMove = Effect.fnUntraced(function* (
    server: InstalledServerRow,
    entry: CatalogEntry,
    changes: Changes,
  ) {
    const verification = yield* verifier.verify({ ...server, entry }, changes);
    // An uninstall cancels the verification; the server is not found in that case.
    yield* rows.get(server.id);
    if (verification.result.status === "ok") return verification;
    return yield* new VerificationFailed({ verification: verification.result });
  });

  return {
    update: Span.fn("McpServers.update")(function* (
      serverId: string,
      input: typeof GivenUpdate.Encoded,
    ) {
      const body = yield* decode(input);
      const changes: Changes = body.envValues ?? {};
      const before = yield* rows.get(serverId);
      const listed =
        body.version === "catalog"
          ? yield* Effect.catchTag(
              catalog.get(before.entry.id),
              "NotFound",
              () => new UnknownReference({ field: "version", id: before.entry.id }),
            )
          : null;
      const isMove = listed !== null && canonical(listed) !== canonical(before.entry);
      const isRenamed = (body.name ?? before.name) !== before.name;
      const limits = ServerLimits.change(body, before, defaults);
      const once = Once.change(body, before);
      const calls = CallSettings.change(body, before, before.entry);
      const closes =
        isMove ||
        isRenamed ||
        Object.keys(changes).length > 0 ||
        limits.idleSeconds !== before.idleSeconds;
      const isSame =
        ServerLimits.isEqual(limits, before) &&
        Once.isEqual(once, before) &&
        CallSettings.isEqual(calls, before);
      if (!closes && isSame) return yield* rows.render(before);

      /** The server after the change, with its stored verification. */
      const checked = Effect.gen(function* () {
        const server = yield* rows.get(serverId);
        const entry = listed ?? server.entry;
        yield* variables.check(entry, changes, yield* variables.names(serverId));
        const name = body.name ?? server.name;
        if (name !== server.name) yield* rows.requireFree(name);
        return {
          ...server,
          name,
          entry,
          ...ServerLimits.change(body, server, defaults),
          ...Once.change(body, server),
          ...CallSettings.change(body, server, entry),
        };
      });
      yield* checked;

      const apply = (verification: Verification | null) =>
        transact(
          Effect.gen(function* () {
            const former = yield* rows.get(serverId);
            const server = yield* checked;
            const now = yield* Timestamp.now;
            const next = {
              ...(verification === null
                ? { ...server, outage: Outage.changed(server.outage, now) }
                : afterVerify(server, verification.result, now)),
              generation: closes ? server.generation + 1 : server.generation,
              updatedAt: now,
            };
            yield* store.update(next);
            yield* variables.put(serverId, changes);
            yield* rows.record("mcp.updated", next, {
              version: ServerRows.versionOf(server.entry),
              variables: Object.keys(changes),
              ...ServerLimits.of(server),
              ...Once.of(server),
              ...CallSettings.of(server),
            });
            yield* rows.audit("server.updated", next, [
              ...changedSettings(former, next),
              ...Object.keys(changes),
            ]);
            if (verification?.listing != null) {
              yield* pins.observe(serverId, verification.listing);
            }
            return yield* rows.get(serverId);
          }),
        );
      const updated = yield* isMove
        ? retention.during(listed, Effect.flatMap(verifyMove(before, listed, changes), apply))
        : apply(null);
      const rendered = yield* rows.render(updated);
      yield* connections.drop(serverId);
      if (isMove) yield* retention.prune;
      return rendered;
    }),
  };
});
