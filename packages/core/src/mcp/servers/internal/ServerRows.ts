import { Effect, Option } from "effect";
import * as Principal from "../../../access/Principal.ts";
import type { AuditAction } from "../../../audit/AuditEntry.ts";
import { AuditLog } from "../../../audit/AuditLog.ts";
import { getOrNotFound } from "../../../CommonErrors.ts";
import type { AdminEventKind } from "../../../events/Event.ts";
import { EventLog } from "../../../events/EventLog.ts";
import * as CallSettings from "../../CallSettings.ts";
import { CatalogEntries } from "../../catalog/CatalogEntries.ts";
import { type CatalogEntry, isStdio } from "../../CatalogEntry.ts";
import type { InstalledServer, InstalledServerRow } from "../../InstalledServer.ts";
import { NameTaken } from "../../McpErrors.ts";
import { McpServerStore } from "../../McpServerStore.ts";
import * as Once from "../../Once.ts";
import { ProcessSpawner } from "../../ProcessSpawner.ts";
import { needOf } from "../../Sandbox.ts";
import * as ServerLimits from "../../ServerLimits.ts";
import { canonical } from "../../Tool.ts";
import { PinnedTools } from "../../tools/PinnedTools.ts";
import { Variables } from "../../values/Variables.ts";

export const versionOf = ({ manifest }: CatalogEntry): string | null =>
  isStdio(manifest) ? manifest.version : null;

/**
 * Returns whether the catalog's entry differs from a server's copy: in its version, or for an
 * Owner's entry also in its manifest.
 */
const isNewer = (listed: CatalogEntry, copy: CatalogEntry): boolean =>
  versionOf(listed) !== versionOf(copy) ||
  (listed.source === "own" &&
    canonical([listed.manifest, listed.envVars]) !== canonical([copy.manifest, copy.envVars]));

const withoutTokens = { tokens: null };

/** Reads, renders and names installed servers, and records their events. */
export const make = Effect.gen(function* () {
  const store = yield* McpServerStore;
  const catalog = yield* CatalogEntries;
  const pinned = yield* PinnedTools;
  const variables = yield* Variables;
  const events = yield* EventLog;
  const log = yield* AuditLog;
  const spawner = yield* ProcessSpawner;

  /** The sandbox in which the entry's program runs; null for a remote server. */
  const sandboxOf = ({ manifest, ...entry }: CatalogEntry) =>
    isStdio(manifest) ? spawner.sandboxFor(needOf(entry, manifest)) : Effect.succeed(null);

  const get = (id: string) => getOrNotFound("installedServer", id, store.get(id));

  /** Not for use after a write of tools in the same transaction: see `PinnedTools.of`. */
  const render = Effect.fnUntraced(function* (server: InstalledServerRow) {
    const stored = yield* variables.names(server.id);
    const { entry } = server;
    const listed = yield* Effect.catchTag(catalog.get(entry.id), "NotFound", () =>
      Effect.succeed(null),
    );
    const { digest, instructions, tokens } = yield* pinned.of(server);
    const rendered: InstalledServer = {
      id: server.id,
      name: server.name,
      catalogId: entry.id,
      transport: entry.transport,
      status: server.status,
      outage: server.outage,
      version: versionOf(entry),
      updateAvailable: listed !== null && isNewer(listed, entry),
      // Earlier versions stored no tokens.
      lastVerification:
        server.lastVerification === null ? null : { ...withoutTokens, ...server.lastVerification },
      sandbox: Option.getOrNull(yield* Effect.option(sandboxOf(entry))),
      env: entry.envVars.map(({ name }) => ({ name, isSet: stored.has(name) })),
      toolsChanged: server.toolsChanged,
      toolsDigest: digest,
      instructions,
      tokens,
      ...ServerLimits.of(server),
      ...Once.of(server),
      ...CallSettings.of(server),
      warnings: ServerLimits.warnings(server),
      createdAt: server.createdAt,
      updatedAt: server.updatedAt,
    };
    return rendered;
  });

  /** Fails if a server has this name. */
  const requireFree = Effect.fnUntraced(function* (name: string) {
    if (Option.isSome(yield* store.getByName(name)))
      return yield* new NameTaken({ serverName: name });
  });

  /** The entry's id, or the first of `<id>-2`, `<id>-3` and so on that no server has. */
  const freeName = Effect.fnUntraced(function* (entryId: string) {
    for (let number = 1; ; number++) {
      const suffix = number === 1 ? "" : `-${number}`;
      const name = `${entryId.slice(0, 32 - suffix.length)}${suffix}`;
      if (Option.isNone(yield* store.getByName(name))) return name;
    }
  });

  /** Records an event by the current principal, as part of the current transaction. */
  const record = (
    kind: typeof AdminEventKind.Type,
    server: Pick<InstalledServerRow, "id" | "name">,
    data: Readonly<Record<string, unknown>> = {},
  ) =>
    Effect.flatMap(Principal.CurrentPrincipal, (principal) =>
      events.record([
        {
          kind,
          projectId: null,
          relatedProjectId: null,
          subjectId: server.id,
          actor: Principal.actorOf(principal),
          data: { name: server.name, ...data },
        },
      ]),
    );

  /** Records a change by the current principal in the audit log, as part of the current transaction. */
  const audit = (
    action: AuditAction,
    { id, name }: Pick<InstalledServerRow, "id" | "name">,
    changes: ReadonlyArray<string> = [],
  ) =>
    Effect.flatMap(Principal.CurrentPrincipal, (principal) =>
      log.record([
        {
          action,
          actor: Principal.actorOf(principal),
          subject: { type: "server", id, name },
          changes,
        },
      ]),
    );

  return { get, render, sandboxOf, requireFree, freeName, record, audit };
});
