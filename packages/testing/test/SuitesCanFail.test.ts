import { assert, describe, it } from "@effect/vitest";
import {
  ActivityStore,
  AgentSessionStore,
  AttachmentContent,
  AttachmentStore,
  AuditStore,
  CatalogStore,
  EventStore,
  InboxStore,
  IssueStore,
  LinkStore,
  McpServerStore,
  ProcessLeaseStore,
  SavedViewStore,
  SnoozeStore,
  ProjectStore,
  QuestionStore,
  RunStore,
  StatsStore,
  Transactor,
  UsageStore,
  WebhookStore,
} from "@quartermaster/core";
import { MemoryStorage, type Storage } from "@quartermaster/testing";
import { Context, Effect, Layer, Option, Stream } from "effect";
import * as AgentSessionStoreTest from "../src/suites/AgentSessionStoreTest.ts";
import * as AuditStoreTest from "../src/suites/AuditStoreTest.ts";
import * as CatalogStoreTest from "../src/suites/CatalogStoreTest.ts";
import * as ContentBytes from "../src/suites/content/ContentBytes.ts";
import * as ContentLifetime from "../src/suites/content/ContentLifetime.ts";
import * as EventQueries from "../src/suites/events/EventQueries.ts";
import * as InboxRoots from "../src/suites/inbox/InboxRoots.ts";
import * as IssueClaim from "../src/suites/issues/IssueClaim.ts";
import * as IssueDerivedLists from "../src/suites/issues/IssueDerivedLists.ts";
import * as IssueList from "../src/suites/issues/IssueList.ts";
import * as IssueRanking from "../src/suites/issues/IssueRanking.ts";
import * as IssueRows from "../src/suites/issues/IssueRows.ts";
import * as IssueSearch from "../src/suites/issues/IssueSearch.ts";
import * as LinkGraph from "../src/suites/links/LinkGraph.ts";
import * as LinkRows from "../src/suites/links/LinkRows.ts";
import * as ProcessLeaseStoreTest from "../src/suites/ProcessLeaseStoreTest.ts";
import * as ProjectStoreTest from "../src/suites/ProjectStoreTest.ts";
import * as QuestionStoreTest from "../src/suites/QuestionStoreTest.ts";
import * as RunRows from "../src/suites/runs/RunRows.ts";
import * as SavedViewStoreTest from "../src/suites/SavedViewStoreTest.ts";
import * as ServerAccess from "../src/suites/servers/ServerAccess.ts";
import * as ServerRows from "../src/suites/servers/ServerRows.ts";
import * as ServerSecrets from "../src/suites/servers/ServerSecrets.ts";
import * as ServerTools from "../src/suites/servers/ServerTools.ts";
import * as SnoozeStoreTest from "../src/suites/SnoozeStoreTest.ts";
import * as StatsStoreTest from "../src/suites/StatsStoreTest.ts";
import * as AfterCommit from "../src/suites/transactor/AfterCommit.ts";
import * as OutsideTransaction from "../src/suites/transactor/OutsideTransaction.ts";
import * as Rollback from "../src/suites/transactor/Rollback.ts";
import * as UsageStoreTest from "../src/suites/UsageStoreTest.ts";
import * as WebhookStoreTest from "../src/suites/WebhookStoreTest.ts";
import { failing, type Tests } from "./support/Collect.ts";

type Storage = Storage.Storage;

/** Storage in memory with one service altered. */
const altered = <Id extends Storage, Service extends object>(
  key: Context.Service<Id, Service>,
  alter: (service: Service, storage: Context.Context<Storage>) => Partial<Service>,
): Layer.Layer<Storage> =>
  Layer.effectContext(
    Effect.map(Layer.build(MemoryStorage.layer), (storage) => {
      const service = Context.get(storage, key);
      return Context.add(storage, key, { ...service, ...alter(service, storage) });
    }),
  );

const { IssueStore: Issues } = IssueStore;
const { AttachmentContent: Content } = AttachmentContent;

const flaws: ReadonlyArray<readonly [string, Tests, Layer.Layer<Storage>]> = [
  [
    "issues listed in one order only",
    IssueList.tests,
    altered(Issues, ({ list }) => ({
      list: (query, slice) => list(query, { ...slice, order: "asc" }),
    })),
  ],
  [
    "a filter of issues forgotten",
    IssueList.tests,
    altered(Issues, ({ list }) => ({
      list: ({ assigneeId: _, ...query }, slice) => list(query, slice),
    })),
  ],
  [
    "lists that ignore their order",
    IssueDerivedLists.tests,
    altered(Issues, ({ list }) => ({ list: ({ sort: _, ...query }, slice) => list(query, slice) })),
  ],
  [
    "labels of which one has to match",
    IssueDerivedLists.tests,
    altered(Issues, ({ list }) => ({
      list: (query, slice) => list({ ...query, label: query.label?.slice(0, 1) ?? [] }, slice),
    })),
  ],
  [
    "ready issues without regard to the time",
    IssueDerivedLists.tests,
    altered(Issues, ({ list }) => ({
      list: ({ ready, ...query }, slice) =>
        list(
          ready === undefined
            ? query
            : { ...query, ready: { ...ready, now: "9999-01-01T00:00:00.000Z" } },
          slice,
        ),
    })),
  ],
  [
    "pages that start from the first row again",
    IssueList.tests,
    altered(Issues, ({ list }) => ({
      list: (query, slice) => list(query, { ...slice, after: null }),
    })),
  ],
  [
    "a query that matches by one of its words",
    IssueSearch.tests,
    altered(Issues, ({ search }) => ({
      search: (query, slice) => search({ ...query, words: query.words.slice(0, 1) }, slice),
    })),
  ],
  [
    "a search whose tiers are read together",
    IssueRanking.tests,
    altered(Issues, ({ search }) => ({
      search: (query, slice) =>
        search({ ...query, sort: query.sort === "relevance" ? "updated" : query.sort }, slice),
    })),
  ],
  [
    "a search that finds whole words only",
    IssueRanking.tests,
    altered(Issues, ({ search }) => ({
      search: (query, slice) =>
        search({ ...query, words: [...query.words, ...query.words] }, slice),
    })),
  ],
  [
    "a search without file names",
    IssueRanking.tests,
    altered(AttachmentStore.AttachmentStore, () => ({
      insert: (row) => Effect.succeed({ ...row, seq: 1 }),
    })),
  ],
  [
    "claims without regard to projects",
    IssueClaim.tests,
    altered(Issues, ({ claimable }) => ({
      claimable: (agentId, _, limit, now) => claimable(agentId, null, limit, now),
    })),
  ],
  [
    "an update that brings removed issues back",
    IssueRows.tests,
    altered(Issues, ({ insert }) => ({
      update: (rows) =>
        Effect.asVoid(Effect.forEach(rows, (row) => insert({ ...row, prefix: "" }))),
    })),
  ],
  [
    "external references looked up without regard to projects",
    IssueRows.tests,
    altered(Issues, ({ idOfExternalRef }) => ({
      idOfExternalRef: (projectId, ref) => idOfExternalRef(projectId.replace(/x$/, ""), ref),
    })),
  ],
  [
    "links found in one direction only",
    LinkRows.tests,
    altered(LinkStore.LinkStore, ({ find }) => ({
      find: (relation, sourceId, targetId) =>
        Effect.map(
          find(relation, sourceId, targetId),
          Option.filter((link) => link.sourceId === sourceId),
        ),
    })),
  ],
  [
    "neighbors without regard to projects",
    LinkGraph.tests,
    altered(LinkStore.LinkStore, ({ neighbors }) => ({
      neighbors: (query) => neighbors({ ...query, projects: null }),
    })),
  ],
  [
    "edges to any issue",
    LinkGraph.tests,
    altered(LinkStore.LinkStore, ({ edges, neighbors }) => ({
      edges: (issueIds) =>
        Effect.flatMap(
          neighbors({ issueIds, side: "blockers", projects: null, limit: 500 }),
          (others) => edges([...issueIds, ...others]),
        ),
    })),
  ],
  [
    "a stopping run no longer the run of its issue",
    RunRows.tests,
    altered(RunStore.RunStore, ({ ofIssue }) => ({
      ofIssue: (issueId) =>
        Effect.map(
          ofIssue(issueId),
          Option.filter((run) => run.status === "active"),
        ),
    })),
  ],
  [
    "projects listed only while they have issues",
    ProjectStoreTest.lists,
    altered(ProjectStore.ProjectStore, ({ list }) => ({
      list: (projects, slice) =>
        Effect.map(list(projects, slice), (rows) =>
          rows.filter(({ counts }) => Object.values(counts).some((count) => count > 0)),
        ),
    })),
  ],
  [
    "sessions ended for every key",
    AgentSessionStoreTest.tests,
    altered(AgentSessionStore.AgentSessionStore, ({ end, isEnded }) => ({
      end: (_, nonce) => end("all", nonce),
      isEnded: (_, nonce) => isEnded("all", nonce),
    })),
  ],
  [
    "catalog entries that lose their place when they are replaced",
    CatalogStoreTest.changed,
    altered(CatalogStore.CatalogStore, ({ put, remove }) => ({
      put: (entry) => Effect.andThen(remove(entry.id), put(entry)),
    })),
  ],
  [
    "leases of processes that every node may remove",
    ProcessLeaseStoreTest.tests,
    altered(ProcessLeaseStore.ProcessLeaseStore, ({ get, remove }) => ({
      remove: (serverId) =>
        Effect.flatMap(get(serverId), (found) =>
          Option.isSome(found) ? remove(serverId, found.value.nodeId) : Effect.void,
        ),
    })),
  ],
  [
    "an audit log that ignores the end of a range",
    AuditStoreTest.tests,
    altered(AuditStore.AuditStore, ({ list }) => ({
      list: (query, slice) => list({ ...query, to: null }, slice),
    })),
  ],
  [
    "snoozes that all principals share",
    SnoozeStoreTest.tests,
    altered(SnoozeStore.SnoozeStore, ({ put, list, remove }) => ({
      put: (snooze) => put({ ...snooze, principal: "all" }),
      list: (_, now) => list("all", now),
      remove: (item) => remove({ ...item, principal: "all" }),
    })),
  ],
  [
    "saved views that everyone sees",
    SavedViewStoreTest.tests,
    altered(SavedViewStore.SavedViewStore, ({ list }) => ({
      list: ({ owner }, slice) => list({ owner, projects: null }, slice),
    })),
  ],
  [
    "webhooks whose attempts in flight are skipped",
    WebhookStoreTest.deliveries,
    altered(WebhookStore.WebhookStore, ({ skip }) => ({
      skip: (webhookId, reason, _, limit) =>
        skip(webhookId, reason, "9999-01-01T00:00:00.000Z", limit),
    })),
  ],
  [
    "roots of the inbox that block hidden issues only",
    InboxRoots.tests,
    altered(InboxStore.InboxStore, ({ roots }) => ({
      roots: ({ projects, ...query }, slice) =>
        Effect.map(roots({ projects: null, ...query }, { ...slice, limit: 500 }), (rows) =>
          rows
            .filter(({ issue }) => projects === null || projects.includes(issue.projectId))
            .slice(0, slice.limit),
        ),
    })),
  ],
  [
    "questions due before their time",
    QuestionStoreTest.tests,
    altered(QuestionStore.QuestionStore, ({ due }) => ({
      due: (_, limit) => due("9999-12-31T23:59:59.999Z", limit),
    })),
  ],
  [
    "events read beyond the end of the range",
    EventQueries.tests,
    altered(EventStore.EventStore, ({ list }) => ({
      list: (query, range) => list(query, { ...range, until: Number.MAX_SAFE_INTEGER }),
    })),
  ],
  [
    "bytes always read from the start",
    ContentBytes.tests,
    altered(Content, ({ read }) => ({ read: (id, _, end) => read(id, 0, end) })),
  ],
  [
    "an upload without limit",
    ContentLifetime.tests,
    altered(Content, ({ receive }) => ({
      receive: (id, bytes) => receive(id, Stream.take(bytes, 1_000), Number.MAX_SAFE_INTEGER),
    })),
  ],
  [
    "bytes that are retained only by the first run of a change",
    ContentLifetime.tests,
    altered(Content, ({ receive }) => ({
      receive: (id, bytes, limit) =>
        Effect.map(receive(id, bytes, limit), ({ keep, ...received }) => {
          let runs = 0;
          return { ...received, keep: Effect.suspend(() => (runs++ === 0 ? keep : Effect.void)) };
        }),
    })),
  ],
  [
    "secrets that outlive their server",
    ServerRows.removal,
    altered(McpServerStore.McpServerStore, ({ get }) => {
      const gone = new Set<string>();
      return {
        remove: (id) => Effect.sync(() => void gone.add(id)),
        get: (id) => (gone.has(id) ? Effect.succeedNone : get(id)),
      };
    }),
  ],
  [
    "statistics of every bucket in one row",
    StatsStoreTest.tests,
    altered(StatsStore.StatsStore, ({ list, put }) => ({
      list: (query) => list({ ...query, bucket: "hour" }),
      put: (source, cursor, rows) =>
        put(
          source,
          cursor,
          rows.map((row) => ({ ...row, bucket: "hour" })),
        ),
    })),
  ],
  [
    "usage that counts every source",
    UsageStoreTest.sums,
    altered(UsageStore.UsageStore, ({ add }) => ({
      add: ({ rows, ...added }) =>
        add({ ...added, rows: rows.map((row) => ({ ...row, source: "runner" })) }),
    })),
  ],
  [
    "usage of hidden projects",
    UsageStoreTest.groups,
    altered(UsageStore.UsageStore, ({ groups }) => ({
      groups: (query, slice) => groups({ ...query, projects: null }, slice),
    })),
  ],
  [
    "stays that start at any entry of the timeline",
    StatsStoreTest.tests,
    altered(StatsStore.StatsStore, (_, storage) => {
      const { list } = Context.get(storage, ActivityStore.ActivityStore);
      return {
        staysSince: (ends) =>
          Effect.forEach(ends, ({ endedAt, issueId }) =>
            Effect.map(
              list(issueId, null, { limit: 500, order: "desc", after: null }),
              (entries) => entries.find(({ createdAt }) => createdAt < endedAt)?.createdAt ?? null,
            ),
          ),
      };
    }),
  ],
  [
    "grants that remain when they are withdrawn",
    ServerAccess.grants,
    altered(McpServerStore.McpServerStore, ({ putAccess }) => ({
      putAccess: (id, entries) =>
        putAccess(
          id,
          entries.filter(({ granted }) => granted),
        ),
    })),
  ],
  [
    "tools added to the previous tools",
    ServerTools.tests,
    altered(McpServerStore.McpServerStore, ({ putTools, tools }) => ({
      putTools: (id, rows) =>
        Effect.flatMap(tools(id), (before) => putTools(id, [...before, ...rows])),
    })),
  ],
  [
    "secrets under the new key listed as under another key",
    ServerSecrets.rotation,
    altered(McpServerStore.McpServerStore, ({ secretsNotUnder }) => ({
      secretsNotUnder: (_, after, limit) => secretsNotUnder("none", after, limit),
    })),
  ],
  [
    "transactions that undo nothing",
    Rollback.tests,
    altered(Transactor.Transactor, ({ transact }) => ({
      transact: (change) => Effect.flatten(transact(Effect.exit(change))),
    })),
  ],
  [
    "writes outside of a transaction allowed",
    OutsideTransaction.tests,
    altered(Issues, ({ remove }, storage) => {
      const { transact } = Context.get(storage, Transactor.Transactor);
      return { remove: (id) => transact(remove(id)) };
    }),
  ],
  [
    "callbacks run before the commit",
    AfterCommit.tests,
    altered(Transactor.Transactor, () => ({ afterCommit: (effect) => effect })),
  ],
];

describe("a suite fails over storage with", () => {
  for (const [flaw, tests, storage] of flaws) {
    it.effect(flaw, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* failing(tests, MemoryStorage.layer), []);
        assert.isNotEmpty(yield* failing(tests, storage));
      }),
    );
  }
});
