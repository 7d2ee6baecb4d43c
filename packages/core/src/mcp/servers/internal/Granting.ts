import { Effect, Struct } from "effect";
import { Agents } from "../../../agents/Agents.ts";
import { InvalidRequest, UnknownReference } from "../../../CommonErrors.ts";
import * as Input from "../../../Input.ts";
import * as Outcome from "../../../internal/Outcome.ts";
import * as Span from "../../../internal/Span.ts";
import * as Page from "../../../Page.ts";
import { Transactor } from "../../../Transactor.ts";
import * as Access from "../../AccessEntry.ts";
import type { InstalledServerRow } from "../../InstalledServer.ts";
import { McpServerStore } from "../../McpServerStore.ts";
import { canonical } from "../../Tool.ts";
import { PinnedTools } from "../../tools/PinnedTools.ts";
import * as ServerRows from "./ServerRows.ts";

const byAgent: Page.Keyset<Access.AccessEntry, string> = {
  keyOf: ({ agentId }) => agentId,
  toText: (agentId) => agentId,
  fromText: (text) => text,
};

/** Grants and revokes the access of agents to servers. */
export const make = Effect.gen(function* () {
  const rows = yield* ServerRows.make;
  const store = yield* McpServerStore;
  const pinned = yield* PinnedTools;
  const agents = yield* Agents;
  const { transact } = yield* Transactor;
  const decode = Input.decoder(Access.AccessUpdate);

  const admit = (agentId: string) =>
    Effect.catchTag(
      agents.admit(agentId),
      "NotFound",
      () => new UnknownReference({ field: "entries.agentId", id: agentId }),
    );

  /** The access entries, each with its estimated tokens. */
  const listed = Effect.fnUntraced(function* (
    server: InstalledServerRow,
    slice?: Page.Slice<string>,
  ) {
    const { tools } = yield* pinned.of(server);
    const costOf = (entry: Access.StoredAccess) =>
      tools.reduce(
        (sum, { accepted, kind, name, state, tokens }) =>
          kind === "tool" && state === "accepted" && Access.allows(entry, { ...accepted, name })
            ? sum + tokens
            : sum,
        0,
      );
    const entries = yield* store.access(server.id, slice);
    return entries.map((entry): Access.AccessEntry => ({
      ...entry,
      tokens: entry.granted ? costOf(entry) : 0,
    }));
  });

  return {
    access: Span.fn("McpServers.access")(function* (
      serverId: string,
      request: Page.PageRequest = {},
    ) {
      const server = yield* rows.get(serverId);
      if (request.limit === undefined && request.cursor === undefined && request.order !== "desc") {
        return { items: yield* listed(server), next: null };
      }
      return yield* Page.readBy(
        byAgent,
        { ...request, defaultOrder: "asc", query: ["access", serverId] },
        (slice) => listed(server, slice),
      );
    }),
    putAccess: Span.fn("McpServers.putAccess")(function* (
      serverId: string,
      input: typeof Access.AccessUpdate.Encoded,
    ) {
      const { entries } = yield* decode(input);
      const agentIds = entries.map(({ agentId }) => agentId);
      const unseen = new Set(agentIds);
      const repeated = agentIds.findIndex((agentId) => !unseen.delete(agentId));
      if (repeated >= 0) {
        return yield* InvalidRequest.at(
          `entries.${repeated}.agentId`,
          "is named twice; name each agent once",
        );
      }
      // Asks the host's directory, which may be slow. An unknown server is reported first.
      const admitted = yield* Outcome.ahead(Effect.forEach(agentIds, admit));
      return yield* transact(
        Effect.gen(function* () {
          const server = yield* rows.get(serverId);
          for (const agentId of yield* admitted) yield* agents.ensure(agentId);
          const before = yield* store.access(serverId);
          const next = entries.map((entry) => merged(entry, before));
          yield* store.putAccess(serverId, next);
          for (const [action, names] of changesOf(before, next)) {
            if (names.length > 0) yield* rows.audit(action, server, names);
          }
          yield* rows.record("mcp.accessChanged", server, {
            agents: entries.map(({ agentId, granted }) => ({ agentId, granted })),
          });
          return yield* listed(server);
        }),
      );
    }),
  };
});

/**
 * The changes of access for the audit log: the agents that got or lost access, and the changed limits of
 * others, such as `ops.tools`.
 */
const changesOf = (
  before: ReadonlyArray<Access.StoredAccess>,
  next: ReadonlyArray<Access.StoredAccess>,
) => {
  const formers = new Map(before.map((entry) => [entry.agentId, entry]));
  const granted: Array<string> = [];
  const revoked: Array<string> = [];
  const changed: Array<string> = [];
  for (const entry of next) {
    const { agentId } = entry;
    const former = formers.get(agentId) ?? { ...Access.everything, agentId, granted: false };
    if (entry.granted !== former.granted) (entry.granted ? granted : revoked).push(agentId);
    if (!entry.granted) continue;
    for (const name of Struct.keys(Access.everything)) {
      if (canonical(entry[name]) !== canonical(former[name])) changed.push(`${agentId}.${name}`);
    }
  }
  return [
    ["access.granted", granted],
    ["access.revoked", revoked],
    ["access.changed", changed],
  ] as const;
};

/**
 * The access of an agent after a change. Omitted fields do not change, and a revocation removes all
 * of it.
 */
const merged = (
  { agentId, granted, ...changes }: Access.AccessUpdate["entries"][number],
  before: ReadonlyArray<Access.StoredAccess>,
): Access.StoredAccess => {
  if (!granted) return { agentId, granted, ...Access.everything };
  const former = before.find((entry) => entry.agentId === agentId);
  return { ...Access.everything, ...former, ...changes, agentId, granted };
};
