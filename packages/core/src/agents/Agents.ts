import { Context, Effect, Layer, Option, Struct } from "effect";
import type { Forbidden } from "../access/AccessErrors.ts";
import * as Principal from "../access/Principal.ts";
import { AuditLog } from "../audit/AuditLog.ts";
import {
  getOrNotFound,
  type InvalidRequest,
  LimitExceeded,
  NotFound,
  type StorageError,
} from "../CommonErrors.ts";
import { CoreOptions } from "../CoreOptions.ts";
import { Directory } from "../Directory.ts";
import { EventLog } from "../events/EventLog.ts";
import * as Id from "../Id.ts";
import * as Input from "../Input.ts";
import * as Span from "../internal/Span.ts";
import * as Page from "../Page.ts";
import * as Timestamp from "../Timestamp.ts";
import { Transactor } from "../Transactor.ts";
import { type Agent, type AgentRow, type ToolMode, AgentUpdate, noteOf } from "./Agent.ts";
import { InUse } from "./AgentErrors.ts";
import { AgentStore } from "./AgentStore.ts";
import { isLive } from "./Run.ts";
import { RunStore } from "./RunStore.ts";
import * as SignsOfLife from "./SignsOfLife.ts";

type CurrentPrincipal = Principal.CurrentPrincipal;

type Changes = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;

/** Records a change of an agent. The audit log has no registrations, which are side effects. */
const makeRecord = Effect.gen(function* () {
  const events = yield* EventLog;
  const audit = yield* AuditLog;

  return Effect.fnUntraced(function* (
    kind: "agent.registered" | "agent.updated" | "agent.deleted",
    { id, name }: Pick<AgentRow, "id" | "name">,
    principal: Principal.Principal,
    changes: Changes = {},
  ) {
    const actor = Principal.actorOf(principal);
    yield* events.record([
      {
        kind,
        projectId: null,
        relatedProjectId: null,
        subjectId: id,
        actor,
        data: kind === "agent.updated" ? { changes } : {},
      },
    ]);
    if (kind === "agent.registered") return;
    const subject = { type: "agent", id, name } as const;
    yield* audit.record([{ action: kind, actor, subject, changes: Object.keys(changes) }]);
  });
});

/** The agents of the host. */
export class Agents extends Context.Service<
  Agents,
  {
    /** Returns a page of the registered agents, newest first by default. */
    list(
      request?: Page.PageRequest,
    ): Effect.Effect<Page.Page<Agent>, InvalidRequest | StorageError, CurrentPrincipal>;
    /** Returns a registered agent. */
    get(agentId: string): Effect.Effect<Agent, NotFound | StorageError, CurrentPrincipal>;
    /**
     * Registers an agent, or changes its name, tool mode or pause. A pause stops its live runs at
     * their next turn (`agentPaused`), its heartbeats claim nothing, and its calls of MCP tools
     * fail. Requires the Admin role and a principal without projects; `NotFound` for an agent that
     * the host's directory does not know, and `LimitExceeded` if `CoreOptions.maxAgents` agents are
     * registered.
     */
    put(
      agentId: string,
      input?: typeof AgentUpdate.Encoded,
    ): Effect.Effect<
      Agent,
      Forbidden | NotFound | InvalidRequest | LimitExceeded | StorageError,
      CurrentPrincipal
    >;
    /**
     * Removes an agent and its access to MCP servers; its ended runs stay. Requires the Admin role
     * and a principal without projects; `InUse` while the agent holds a live run or an issue is
     * assigned to it.
     */
    remove(
      agentId: string,
    ): Effect.Effect<void, Forbidden | NotFound | InUse | StorageError, CurrentPrincipal>;
    /** Returns how an agent sees its granted tools; `direct` for one that is not registered. */
    toolMode(agentId: string): Effect.Effect<ToolMode, StorageError>;
    /**
     * Records in the background that an agent made a request, which is a sign of life like a
     * heartbeat. Stored at most every 10 seconds per agent and node.
     */
    seen(agentId: string): Effect.Effect<void>;
    /**
     * Registers the agent in the current transaction, unless it is registered. Returns whether it did.
     * Fails with `LimitExceeded` if `CoreOptions.maxAgents` other agents are registered.
     */
    ensure(agentId: string): Effect.Effect<boolean, LimitExceeded | StorageError, CurrentPrincipal>;
    /** Returns whether the agent ever sent a heartbeat or another request. */
    wasSeen(agentId: string): Effect.Effect<boolean, StorageError>;
    /** Fails with `NotFound` if the agent is not registered. */
    exists(agentId: string): Effect.Effect<void, NotFound | StorageError>;
    /** Returns the id if it is valid and the host's directory knows the agent. */
    admit(agentId: string): Effect.Effect<string, InvalidRequest | NotFound | StorageError>;
  }
>()("@quartermaster/core/agents/Agents") {
  static readonly layerNoDeps = Layer.effect(
    Agents,
    Effect.gen(function* () {
      const store = yield* AgentStore;
      const runs = yield* RunStore;
      const { maxAgents } = yield* CoreOptions;
      const record = yield* makeRecord;
      const directory = yield* Directory;
      const { transact } = yield* Transactor;
      const seen = yield* SignsOfLife.make;
      const decodeId = Input.decoder(Id.HostId, "agentId");
      const decodeUpdate = Input.decoder(AgentUpdate);

      const row = (agentId: string) => getOrNotFound("agent", agentId, store.get(agentId));

      const liveRuns = Effect.fnUntraced(function* (agentId: string) {
        const now = yield* Timestamp.now;
        const unended = yield* runs.notEnded(agentId);
        return unended.filter((run) => isLive(run, now));
      });

      /** The agent without its runs in projects that the principal may not see. */
      const render = Effect.fnUntraced(function* (row: AgentRow) {
        const principal = yield* Principal.CurrentPrincipal;
        const live = yield* liveRuns(row.id);
        const visible = live.filter((run) => Principal.sees(principal, run.projectId));
        return toAgent({ ...row, activeRuns: visible.length }, yield* Timestamp.now);
      });

      const ensure = Effect.fnUntraced(function* (agentId: string) {
        const principal = yield* Principal.CurrentPrincipal;
        if (!(yield* store.register(agentId, yield* Timestamp.now))) return false;
        if ((yield* store.count) > maxAgents) return yield* new LimitExceeded({ limit: maxAgents });
        yield* record("agent.registered", { id: agentId, name: agentId }, principal);
        return true;
      });

      const exists = (agentId: string) => Effect.asVoid(row(agentId));

      const admit = Effect.fnUntraced(function* (agentId: string) {
        const id = yield* decodeId(agentId);
        if (yield* directory.knows("agent", id)) return id;
        return yield* new NotFound({ resource: "agent", id });
      });

      /** Stops the agent's live runs at their next turn. */
      const stopRuns = Effect.fnUntraced(function* (agentId: string) {
        const active = (yield* liveRuns(agentId)).filter(({ status }) => status === "active");
        yield* runs.update(
          active.map((run) => ({ ...run, status: "stopping", stopReason: "agentPaused" })),
        );
      });

      const change = Effect.fnUntraced(function* (
        agent: AgentRow,
        update: AgentUpdate,
        principal: Principal.Principal,
      ) {
        const next = {
          id: agent.id,
          name: update.name ?? agent.name,
          paused: update.paused ?? agent.paused,
          toolMode: update.toolMode ?? agent.toolMode,
          callsNeedRun: update.callsNeedRun ?? agent.callsNeedRun,
        };
        const names = Struct.keys(next).filter((name) => next[name] !== agent[name]);
        if (names.length === 0) return;
        yield* store.update(next);
        if (next.paused && !agent.paused) yield* stopRuns(agent.id);
        const changes = names.map((name) => [name, { from: agent[name], to: next[name] }] as const);
        yield* record("agent.updated", next, principal, Object.fromEntries(changes));
      });

      const list = Span.fn("Agents.list")(function* (request: Page.PageRequest = {}) {
        const { projects } = yield* Principal.CurrentPrincipal;
        const now = yield* Timestamp.now;
        const page = yield* Page.read(
          { ...request, defaultOrder: "desc", query: ["agents"] },
          (slice) => store.list(projects, now, slice),
        );
        return Page.map(page, (row) => toAgent(row, now));
      });

      const put = Span.fn("Agents.put")(function* (
        agentId: string,
        input: typeof AgentUpdate.Encoded = {},
      ) {
        const principal = yield* Principal.requireUnbound("Admin");
        const update = yield* decodeUpdate(input);
        const id = yield* admit(agentId);
        return yield* transact(
          Effect.gen(function* () {
            yield* ensure(id);
            yield* change(yield* row(id), update, principal);
            return yield* Effect.flatMap(row(id), render);
          }),
        );
      });

      const get = Span.fn("Agents.get")(function* (agentId: string) {
        return yield* Effect.flatMap(row(agentId), render);
      });

      const remove = Span.fn("Agents.remove")(function* (agentId: string) {
        const principal = yield* Principal.requireUnbound("Admin");
        yield* transact(
          Effect.gen(function* () {
            const agent = yield* row(agentId);
            const isBusy = (yield* liveRuns(agentId)).length > 0;
            if (isBusy || (yield* store.isAssigned(agentId))) return yield* new InUse();
            yield* store.remove(agentId);
            yield* record("agent.deleted", agent, principal);
          }),
        );
      });

      const toolMode = (agentId: string) =>
        Effect.map(store.get(agentId), (found) => Option.getOrNull(found)?.toolMode ?? "direct");

      const wasSeen = (agentId: string) =>
        Effect.map(store.get(agentId), (found) => Option.getOrNull(found)?.lastHeartbeatAt != null);

      return Agents.of({ list, get, put, remove, ensure, exists, admit, seen, wasSeen, toolMode });
    }),
  );
}

const toAgent = (
  { halted, seq: _, ...agent }: AgentRow & Pick<Agent, "activeRuns">,
  now: Timestamp.Timestamp,
): Agent => ({ ...agent, note: noteOf({ halted }, now) });
