import { assert, describe } from "@effect/vitest";
import {
  Agents,
  CoreOptions,
  Directory,
  EventStore,
  Idempotency,
  Issues,
} from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect, Layer } from "effect";
import {
  check,
  checkWith,
  create,
  get,
  inStatus,
  kinds,
  project,
  refusal,
} from "../support/World.ts";

type Input = Parameters<(typeof Issues.Issues)["Service"]["plan"]>[1];
type Planned = Partial<Input["issues"][number]> & { readonly ref: string };

const plan = (...issues: ReadonlyArray<Planned>) =>
  Issues.Issues.use((service) =>
    service.plan(project, { issues: issues.map((issue) => ({ title: "Roof", ...issue })) }),
  );

const titles = Issues.Issues.use((issues) =>
  Effect.map(issues.list(project, { order: "asc" }), ({ items }) =>
    items.map(({ title }) => title),
  ),
);

const events = EventStore.EventStore.use((store) =>
  store.list({ projects: null, kinds: null }, { after: 0, until: 10_000, limit: 10_000 }),
);

const eventKinds = (issueId: string) =>
  Effect.map(events, (rows) =>
    rows.filter((row) => row.subjectId === issueId).map(({ kind }) => kind),
  );

const eventSubjects = Effect.map(events, (rows) => rows.map(({ subjectId }) => subjectId));

const targets = (issue: { readonly links: ReadonlyArray<object> }) =>
  issue.links.map((link) => {
    const { linkType, targetIssueId } = link as { linkType: string; targetIssueId: string };
    return `${linkType} ${targetIssueId}`;
  });

/** The ids that the directory was asked about. */
const asked: Array<string> = [];

const fewLinks = Layer.succeed(CoreOptions.CoreOptions, {
  ...CoreOptions.CoreOptions.defaultValue(),
  maxLinks: 2,
});

describe("Plans", () => {
  check(
    "[plan.created] a plan creates its issues in order, each waiting for its blockers, as single creations would",
    Effect.gen(function* () {
      const outside = yield* create();
      const other = yield* create();
      const made = yield* plan(
        { ref: "paint", title: "Paint", blockedBy: ["roof", outside.id], priority: "high" },
        { ref: "roof", title: "Mend", labels: ["b", "a"], notBefore: "2030-01-01T00:00:00Z" },
        { ref: "sell", title: "Sell", blockedBy: ["paint"], blockedByIssueId: other.id },
      );
      assert.deepStrictEqual(
        made.map(({ ref, issue }) => [ref, issue.title, issue.status, issue.version]),
        [
          ["paint", "Paint", "WaitingOnDependency", 1],
          ["roof", "Mend", "Open", 1],
          ["sell", "Sell", "WaitingOnDependency", 1],
        ],
      );
      const [paint, roof, sell] = made.map(({ issue }) => issue);
      if (paint === undefined || roof === undefined || sell === undefined) return assert.fail();
      assert.deepStrictEqual(targets(paint), [
        `BlockedBy ${roof.id}`,
        `BlockedBy ${outside.id}`,
        `Blocks ${sell.id}`,
      ]);
      assert.deepStrictEqual(targets(roof), [`Blocks ${paint.id}`]);
      assert.deepStrictEqual(targets(sell), [`BlockedBy ${other.id}`, `BlockedBy ${paint.id}`]);
      assert.deepInclude(roof, { labels: ["a", "b"], notBefore: "2030-01-01T00:00:00.000Z" });
      assert.strictEqual(paint.priority, "high");
      for (const issue of [paint, roof, sell]) assert.deepStrictEqual(yield* get(issue.id), issue);
      assert.isTrue(paint.id < roof.id && roof.id < sell.id);
      assert.deepStrictEqual(yield* titles, [
        "Mend the roof",
        "Mend the roof",
        "Paint",
        "Mend",
        "Sell",
      ]);

      const first = yield* create();
      const second = yield* create({ blockedByIssueId: first.id });
      const [planned] = yield* plan({ ref: "b", blockedByIssueId: first.id });
      const id = planned?.issue.id ?? "";
      assert.deepStrictEqual(yield* kinds(id), yield* kinds(second.id));
      assert.deepStrictEqual(yield* eventKinds(id), yield* eventKinds(second.id));
      assert.deepStrictEqual(yield* eventKinds(roof.id), [
        "issue.created",
        "issue.deferred",
        "issue.linked",
      ]);
      assert.deepStrictEqual((yield* kinds(outside.id)).slice(-1), ["linked"]);
    }),
  );

  check(
    "[plan.created] a blocker that is named twice is one, and a done one holds nothing",
    Effect.gen(function* () {
      const done = yield* inStatus("Resolved");
      const [a, b, c] = (yield* plan(
        { ref: "a", blockedBy: [done.id, done.id], blockedByIssueId: done.id },
        { ref: "b", blockedBy: ["c", done.id, "c"] },
        { ref: "c", blockedBy: [], blockedByIssueId: null },
      )).map(({ issue }) => issue);
      assert.deepInclude(a, { status: "Open", version: 1 });
      assert.deepStrictEqual(targets(a ?? { links: [] }), [`BlockedBy ${done.id}`]);
      assert.deepStrictEqual(yield* get(a?.id ?? ""), a);
      const single = yield* create({ blockedByIssueId: done.id });
      assert.deepStrictEqual(yield* kinds(a?.id ?? ""), yield* kinds(single.id));
      assert.deepInclude(b, { status: "WaitingOnDependency", version: 1 });
      assert.deepStrictEqual(targets(b ?? { links: [] }), [
        `BlockedBy ${c?.id}`,
        `BlockedBy ${done.id}`,
      ]);
      assert.strictEqual(c?.status, "Open");
      assert.deepStrictEqual(yield* plan(), []);
    }),
  );

  check(
    "[plan.refs] refs are unique names of 1 to 64 characters, and every blocker is one of them or an id",
    Effect.gen(function* () {
      const paths = (...issues: ReadonlyArray<Planned>) =>
        Effect.map(refusal(plan(...issues)), ({ _tag, errors }) => [
          _tag,
          ...(errors as ReadonlyArray<{ readonly path: string }>).map(({ path }) => path),
        ]);
      const invalid = "InvalidRequest";
      const a = { ref: "a" };
      assert.deepStrictEqual(yield* paths(a, { ref: "b" }, a, a), [
        invalid,
        "issues.2.ref",
        "issues.3.ref",
      ]);
      assert.deepStrictEqual(
        yield* paths(a, { ref: "b", blockedBy: ["a", "c"], blockedByIssueId: "d" }),
        [invalid, "issues.1.blockedByIssueId", "issues.1.blockedBy"],
      );
      assert.deepStrictEqual(
        yield* paths({ ref: "a", externalRef: "X-1" }, { ref: "b", externalRef: "X-1" }),
        [invalid, "issues.1.externalRef"],
      );
      for (const ref of ["", "r".repeat(65), "iss_1"]) {
        assert.deepStrictEqual(yield* paths({ ref }), [invalid, "issues.0.ref"]);
      }
      assert.deepStrictEqual(yield* paths({ ref: "a", title: "" }), [invalid, "issues.0.title"]);
      const many = Array.from({ length: 501 }, (_, n) => ({ ref: `r${n}` }));
      assert.deepStrictEqual(yield* paths(...many), [invalid, "issues"]);
      assert.deepStrictEqual(yield* titles, []);
      const most = [...many.slice(2), { ref: "r".repeat(64) }];
      assert.lengthOf(yield* plan(...most), 500);
    }),
  );

  check(
    "[plan.cycle] a cycle is refused with its refs, each blocking the next",
    Effect.gen(function* () {
      const cycle = (...issues: ReadonlyArray<Planned>) =>
        Effect.map(refusal(plan(...issues)), ({ _tag, cycle }) => [_tag, cycle]);
      assert.deepStrictEqual(yield* cycle({ ref: "a", blockedBy: ["a"] }), [
        "DependencyCycle",
        ["a", "a"],
      ]);
      assert.deepStrictEqual(
        yield* cycle(
          { ref: "x", blockedBy: ["a", "y"] },
          { ref: "y" },
          { ref: "a", blockedBy: ["y", "c"] },
          { ref: "b", blockedByIssueId: "a" },
          { ref: "c", blockedBy: ["b"] },
        ),
        ["DependencyCycle", ["a", "b", "c", "a"]],
      );
      const ring = Array.from({ length: 500 }, (_, n) => ({
        ref: `r${n}`,
        blockedBy: [`r${(n + 1) % 500}`],
      }));
      const long = (yield* cycle(...ring))[1] as ReadonlyArray<string>;
      assert.lengthOf(long, 100);
      assert.deepStrictEqual([long[0], long.at(-1)], ["r0", "r0"]);
      assert.deepStrictEqual(yield* titles, []);
    }),
  );

  check(
    "[plan.atomic] a plan that is refused leaves nothing behind",
    Effect.gen(function* () {
      const taken = yield* create({ externalRef: "X-1" });
      const first = { ref: "a", assignedAgentId: "newcomer" };
      assert.deepInclude(yield* refusal(plan(first, { ref: "b", blockedBy: ["a", "iss_none"] })), {
        _tag: "UnknownReference",
        field: "issues.1.blockedBy",
        id: "iss_none",
      });
      assert.deepInclude(yield* refusal(plan(first, { ref: "b", externalRef: "X-1" })), {
        _tag: "ExternalRefTaken",
        issueId: taken.id,
      });
      const editor = Callers.as(Callers.user("bob", { projects: [project] }));
      const hidden = yield* create({}, "hidden");
      const blocked = plan(first, { ref: "b", blockedByIssueId: hidden.id });
      assert.deepInclude(yield* refusal(editor(blocked)), {
        _tag: "UnknownReference",
        field: "issues.1.blockedByIssueId",
      });
      const viewer = Callers.as(Callers.user("eve", { role: "Viewer" }));
      assert.strictEqual((yield* refusal(viewer(plan(first))))._tag, "Forbidden");
      const elsewhere = Callers.as(Callers.user("bob", { projects: ["elsewhere"] }));
      assert.strictEqual((yield* refusal(elsewhere(plan(first))))._tag, "NotFound");
      assert.deepStrictEqual(yield* titles, ["Mend the roof"]);
      const agents = yield* Agents.Agents.use((service) => service.list());
      assert.deepStrictEqual(agents.items, []);
      assert.deepStrictEqual(yield* eventSubjects, [taken.id, hidden.id]);
    }),
  );

  checkWith(
    Layer.succeed(CoreOptions.CoreOptions, {
      ...CoreOptions.CoreOptions.defaultValue(),
      strictAgents: true,
    }),
    "[plan.atomic] an agent that is not registered is refused with the path of its first issue",
    Effect.gen(function* () {
      const unregistered = plan(
        { ref: "a" },
        { ref: "b", assignedAgentId: "bot" },
        { ref: "c", assignedAgentId: "bot" },
      );
      assert.deepInclude(yield* refusal(unregistered), {
        _tag: "UnknownReference",
        field: "issues.1.assignedAgentId",
        id: "bot",
      });
      assert.deepStrictEqual(yield* titles, []);
    }),
  );

  checkWith(
    Layer.succeed(Directory.Directory, {
      knows: (kind, id) =>
        Effect.suspend(() => {
          asked.push(`${kind} ${id}`);
          return Effect.succeed(id !== "nobody");
        }),
    }),
    "[plan.atomic] the directory is asked once about each assignment",
    Effect.gen(function* () {
      const bot = { assignedAgentId: "bot", goalId: "grow" };
      yield* plan({ ref: "a", ...bot }, { ref: "b", ...bot }, { ref: "c", goalId: "grow" });
      assert.deepStrictEqual(asked.splice(0), [
        "project project",
        "agent bot",
        "goal grow",
        "goal grow",
      ]);
      const unknown = plan({ ref: "a", ...bot }, { ref: "b", assigneeUserId: "nobody" });
      assert.deepInclude(yield* refusal(unknown), {
        _tag: "UnknownReference",
        field: "issues.1.assigneeUserId",
        id: "nobody",
      });
    }),
  );

  checkWith(
    fewLinks,
    "[plan.limit] neither an issue nor a plan gets more links than an issue may have",
    Effect.gen(function* () {
      const limited = { _tag: "LimitExceeded", limit: 2 };
      const { id } = yield* create();
      yield* create({ blockedByIssueId: id });
      const two = ["a", "b"].map((ref) => ({ ref, blockedBy: [id] }));
      assert.deepInclude(yield* refusal(plan(...two)), limited);
      const three = [{ ref: "a" }, ...["b", "c", "d"].map((ref) => ({ ref, blockedBy: ["a"] }))];
      assert.deepInclude(yield* refusal(plan(...three)), limited);
      assert.lengthOf(yield* plan({ ref: "a", blockedBy: [id] }), 1);
    }),
  );

  check(
    "[plan.idempotent] the same plan with the same key creates its issues once",
    Effect.gen(function* () {
      const request = Effect.provideService(Idempotency.CurrentRequest, {
        keyId: "key",
        idempotencyKey: "1",
        content: "plan",
      });
      const once = request(plan({ ref: "a", title: "A" }, { ref: "b", blockedBy: ["a"] }));
      const first = yield* once;
      assert.deepStrictEqual(yield* once, first);
      const id = first[0]?.issue.id ?? "";
      yield* Issues.Issues.use((issues) => issues.update(id, { status: "Resolved" }));
      assert.deepStrictEqual(
        (yield* once).map(({ ref, issue }) => [ref, issue.status]),
        [
          ["a", "Resolved"],
          ["b", "Open"],
        ],
      );
      assert.lengthOf(yield* titles, 2);
    }),
  );
});
