import { Context, Effect, Layer, Semaphore } from "effect";
import * as Principal from "../access/Principal.ts";
import * as Role from "../access/Role.ts";
import { AgentStore } from "../agents/AgentStore.ts";
import type { InvalidRequest, StorageError } from "../CommonErrors.ts";
import { EventStore } from "../events/EventStore.ts";
import * as Input from "../Input.ts";
import * as Span from "../internal/Span.ts";
import { IssueStore } from "../issues/IssueStore.ts";
import { silentSince } from "../issues/Readiness.ts";
import { McpServerStore } from "../mcp/McpServerStore.ts";
import { ToolCallStore } from "../mcp/ToolCallStore.ts";
import * as Page from "../Page.ts";
import * as Timestamp from "../Timestamp.ts";
import * as Counted from "./internal/Counted.ts";
import * as Fold from "./internal/Fold.ts";
import * as Numbers from "./internal/Numbers.ts";
import * as Sampling from "./internal/Sampling.ts";
import { type AgentStatistics, type Statistics, StatsFilter } from "./Statistics.ts";
import { type StatsQuery, type StatsRow, StatsStore } from "./StatsStore.ts";

/** The number of days that rows are retained: the 30 days before the last 30, and some days more. */
const rowDays = 65;

/** The projects that a request is about; null for all. */
const projectsOf = (principal: Principal.Principal, projectId: string | undefined) =>
  projectId === undefined
    ? principal.projects
    : [projectId].filter((id) => Principal.sees(principal, id));

/** Statistics from rows that are counted from the event log, not from the log itself. */
export class Stats extends Context.Service<
  Stats,
  {
    /**
     * Returns the statistics of a project, or of all projects that the principal may see. For a
     * project that the principal may not see, all numbers are 0. Servers are included only for an
     * Admin that is bound to no project. Fails with `InvalidRequest` for an unknown window.
     *
     * @example
     * ```ts
     * import { Issues, Stats } from "@quartermaster/core";
     * import { Effect } from "effect";
     *
     * export const example = Effect.gen(function* () {
     *   const issues = yield* Issues.Issues;
     *   const stats = yield* Stats.Stats;
     *   yield* issues.create("shop", { title: "Rotate the keys" });
     *   yield* stats.fold;
     *   const { series } = yield* stats.get({ window: "24h" });
     *   return series.at(-1)?.created; // 1
     * });
     * ```
     */
    get(
      request?: typeof StatsFilter.Encoded,
    ): Effect.Effect<Statistics, InvalidRequest | StorageError, Principal.CurrentPrincipal>;
    /**
     * Returns the statistics of each registered agent, in a window and in the time before it, over the
     * projects of `get`. Newest agent first by default.
     */
    agents(
      request?: typeof StatsFilter.Encoded & Page.PageRequest,
    ): Effect.Effect<
      Page.Page<AgentStatistics>,
      InvalidRequest | StorageError,
      Principal.CurrentPrincipal
    >;
    /**
     * Counts all events and tool calls that are not counted yet. Several nodes may run it at the
     * same time.
     */
    readonly fold: Effect.Effect<void, StorageError>;
    /** Removes rows that are more than 65 days old, at most 5,000, and returns how many. */
    readonly prune: Effect.Effect<number, StorageError>;
  }
>()("@quartermaster/core/stats/Stats") {
  static readonly layerNoDeps = Layer.effect(
    Stats,
    Effect.gen(function* () {
      const store = yield* StatsStore;
      const events = yield* EventStore;
      const calls = yield* ToolCallStore;
      const issues = yield* IssueStore;
      const agents = yield* AgentStore;
      const servers = yield* McpServerStore;
      const stayingOf = yield* Sampling.make;
      const fold = Semaphore.makeUnsafe(1).withPermit(yield* Fold.make);
      const decode = Input.decoder(StatsFilter);

      /** The time of the first event or call that is not counted; `now` if there is none. */
      const countedUntil = Effect.fnUntraced(function* (now: Timestamp.Timestamp) {
        const [event] = yield* events.list(
          { projects: null, kinds: null },
          {
            after: yield* store.cursor("events"),
            until: Number.MAX_SAFE_INTEGER,
            limit: 1,
          },
        );
        const [call] = yield* calls.list(
          {},
          { after: yield* store.cursor("toolCalls"), order: "asc", limit: 1 },
        );
        return (
          [now, event?.createdAt, call?.startedAt].flatMap((at) => at ?? []).toSorted()[0] ?? now
        );
      });

      const partsOf = (
        range: Numbers.Range,
        query: Pick<StatsQuery, "kind" | "ids">,
      ): Effect.Effect<ReadonlyArray<StatsRow>, StorageError> =>
        Effect.map(
          Effect.forEach(Numbers.partsOf(range), (part) => store.list({ ...part, ...query })),
          (rows) => rows.flat(),
        );

      const ofServers = Effect.fnUntraced(function* (range: Numbers.Range) {
        const installed = yield* servers.list;
        const ids = installed.map(({ id }) => id);
        return Numbers.ofServers(installed, yield* partsOf(range, { kind: "calls", ids }));
      });

      const get = Span.fn("Stats.get")(function* (request: typeof StatsFilter.Encoded = {}) {
        const principal = yield* Principal.CurrentPrincipal;
        const { projectId, window = "24h" } = yield* decode(request);
        const projects = projectsOf(principal, projectId);
        const now = yield* Timestamp.now;
        const range = Numbers.rangeOf(window, now);
        const asOf = yield* countedUntil(now);
        const ids = projects ?? [""];
        const happened = yield* store.list({ ...range, kind: "events", ids });
        const ended = yield* partsOf(range, { kind: "stays", ids });
        const earlier = yield* partsOf(Numbers.before(range), { kind: "events", ids });
        const counts = yield* issues.countByStatus(projects);
        const staying = yield* stayingOf(projects, counts);
        const active = yield* agents.countSince(silentSince(now));
        const seesServers = principal.projects === null && Role.includes(principal.role, "Admin");
        return {
          window,
          ...range,
          asOf,
          issues: counts,
          ...Numbers.ofIssues(range, happened),
          previous: Numbers.sumsOf(earlier),
          timeInStatus: Numbers.timeInStatus(ended, staying, now),
          agents: { active, silent: (yield* agents.count) - active },
          servers: seesServers && projectId === undefined ? yield* ofServers(range) : null,
        };
      });

      const ofAgents = Span.fn("Stats.agents")(function* (
        request: typeof StatsFilter.Encoded & Page.PageRequest = {},
      ) {
        const principal = yield* Principal.CurrentPrincipal;
        const { cursor, limit, order, ...filter } = request;
        const { projectId, window = "24h" } = yield* decode(filter);
        const now = yield* Timestamp.now;
        const page = yield* Page.read(
          {
            cursor,
            limit,
            order,
            defaultOrder: "desc",
            query: ["agent statistics", window, projectId],
          },
          (slice) => agents.list([], now, slice),
        );
        const projects = projectsOf(principal, projectId) ?? [""];
        const idsOf = (agentId: string) => projects.map((id) => Counted.agentRow(id, agentId));
        const ids = page.items.flatMap(({ id }) => idsOf(id));
        const range = Numbers.rangeOf(window, now);
        const rowsIn = (range: Numbers.Range) =>
          Effect.map(partsOf(range, { kind: "agents", ids }), (rows) =>
            Map.groupBy(rows, ({ id }) => id),
          );
        const current = yield* rowsIn(range);
        const previous = yield* rowsIn(Numbers.before(range));
        const numbersOf = (rows: typeof current, agentId: string) =>
          Numbers.ofAgent(idsOf(agentId).flatMap((id) => rows.get(id) ?? []));
        return Page.map(page, ({ id }) => ({
          agentId: id,
          current: numbersOf(current, id),
          previous: numbersOf(previous, id),
        }));
      });

      const prune = Effect.gen(function* () {
        const now = yield* Timestamp.now;
        return yield* store.prune(Timestamp.addSeconds(now, -rowDays * 86_400), 5_000);
      });

      return Stats.of({ get, agents: ofAgents, fold, prune });
    }),
  );
}
