import { assert, describe } from "@effect/vitest";
import {
  Attachments,
  type BriefIssue,
  Comments,
  Issues,
  Links,
  type Page,
  Questions,
  Runs,
  type IssueFilter,
} from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect } from "effect";
import { TestClock } from "effect/testing";
import {
  type Call,
  check,
  create,
  executing,
  heartbeat,
  project,
  put,
  refusal,
} from "../support/World.ts";

const list = Effect.fnUntraced(function* (
  request: Parameters<(typeof Issues.Issues)["Service"]["list"]>[1] = {},
  projectId = project,
) {
  const issues = yield* Issues.Issues;
  const { items, next } = yield* issues.list(projectId, request);
  return { titles: items.map(({ title }) => title), next };
});

const titles = (request?: Parameters<typeof list>[0]) =>
  Effect.map(list(request), (page) => page.titles);

describe("Lists of issues", () => {
  check(
    "[issues.list.filters] a list has the issues that match every filter",
    Effect.gen(function* () {
      yield* create({ title: "A", assignedAgentId: "bot", priority: "low" });
      yield* create({ title: "B", assigneeUserId: "bot", goalId: "g" });
      const { id } = yield* create({ title: "C", goalId: "g" });
      yield* TestClock.adjust("1 minute");
      yield* put(id, { status: "PendingReview" });
      yield* create({ title: "elsewhere" }, "other");
      assert.deepStrictEqual(yield* titles(), ["C", "B", "A"]);
      assert.deepStrictEqual(yield* titles({ order: "asc" }), ["A", "B", "C"]);
      assert.deepStrictEqual(yield* titles({ status: ["PendingReview"] }), ["C"]);
      assert.deepStrictEqual(yield* titles({ assigneeId: "bot" }), ["B", "A"]);
      assert.deepStrictEqual(yield* titles({ assigneeId: "bot", priority: "low" }), ["A"]);
      assert.deepStrictEqual(yield* titles({ goalId: "g", status: ["Open"] }), ["B"]);
      const since = "1970-01-01T01:01:00+01:00";
      assert.deepStrictEqual(yield* titles({ updatedSince: since }), ["C"]);
      assert.deepStrictEqual((yield* list({}, "empty")).titles, []);
    }),
  );

  check(
    "[issues.list.labels] every label has to match, and externalRef and paused filter as well",
    Effect.gen(function* () {
      yield* create({ title: "A", labels: ["bug", "ui"], externalRef: "GH-1" });
      yield* create({ title: "B", labels: ["bug"] });
      const { issue } = yield* executing("bot", { title: "C", labels: ["ui"] });
      yield* Issues.Issues.use((issues) => issues.pause(issue.id));
      assert.deepStrictEqual(yield* titles({ label: ["bug"] }), ["B", "A"]);
      assert.deepStrictEqual(yield* titles({ label: ["ui", "bug"] }), ["A"]);
      assert.deepStrictEqual(yield* titles({ label: [" ui "], status: ["Open"] }), ["C", "A"]);
      assert.deepStrictEqual(yield* titles({ label: ["Bug"] }), []);
      assert.deepStrictEqual(yield* titles({ externalRef: "GH-1" }), ["A"]);
      assert.deepStrictEqual(yield* titles({ externalRef: "gh-1" }), []);
      assert.deepStrictEqual(yield* titles({ paused: true }), ["C"]);
      assert.deepStrictEqual(yield* titles({ paused: false, q: "a" }), ["A"]);
      assert.deepStrictEqual(yield* titles({ status: ["Resolved", "Open"] }), ["C", "B", "A"]);
      assert.deepStrictEqual(yield* titles({ status: [] }), []);
    }),
  );

  check(
    "[issues.list.values] a filter takes several values, and a name with not. excludes them",
    Effect.gen(function* () {
      yield* create({ title: "A", labels: ["a,b"], assignedAgentId: "bot", priority: "low" });
      yield* create({ title: "B", labels: ["bug", "ui"], assigneeUserId: "ann" });
      yield* TestClock.adjust("1 minute");
      const { issue } = yield* executing("bot", { title: "C", labels: ["ui"], goalId: "g" });
      assert.deepStrictEqual(yield* titles({ assigneeId: "bot,ann" }), ["C", "B", "A"]);
      assert.deepStrictEqual(yield* titles({ assigneeId: ["ann"] }), ["B"]);
      assert.deepStrictEqual(yield* titles({ priority: "urgent,low" }), ["A"]);
      assert.deepStrictEqual(yield* titles({ label: ["bug,none", "ui"] }), ["B"]);
      assert.deepStrictEqual(yield* titles({ label: ["a\\,b"] }), ["A"]);
      assert.deepStrictEqual(yield* titles({ "not.label": "bug,a\\,b" }), ["C"]);
      assert.deepStrictEqual(yield* titles({ "not.goalId": "g" }), ["B", "A"]);
      assert.deepStrictEqual(yield* titles({ goalId: [] }), []);
      assert.deepStrictEqual(yield* titles({ createdAfter: "1970-01-01T00:00:00Z" }), ["C"]);
      assert.deepStrictEqual(yield* titles({ updatedBefore: "1970-01-01T00:01:00Z" }), ["B"]);
      yield* Questions.Questions.use((questions) =>
        questions.ask(issue.id, { kind: "text", prompt: "Which?" }),
      );
      assert.deepStrictEqual(yield* titles({ has: "question,files" }), ["C"]);
      assert.deepStrictEqual(yield* titles({ "not.has": ["question"] }), ["B", "A"]);
      assert.deepStrictEqual(yield* titles({ silentAgent: true }), []);
      yield* TestClock.adjust("11 minutes");
      assert.deepStrictEqual(yield* titles({ silentAgent: true }), ["C", "A"]);
      assert.deepStrictEqual(yield* titles({ silentAgent: false }), ["B"]);
      const many = Array.from({ length: 33 }, (_, n) => `l${n}`);
      for (const request of [
        { label: [many.join(",")] },
        { label: many },
        { "not.label": many },
        { priority: "top" },
        { assigneeId: "a b" },
      ]) {
        assert.strictEqual((yield* refusal(list(request as object)))._tag, "InvalidRequest");
      }
    }),
  );

  check(
    "[issues.list.ready] ready lists what the next heartbeat of its agent picks up",
    Effect.gen(function* () {
      yield* create({ title: "A", assignedAgentId: "bot" });
      yield* create({ title: "B" });
      yield* create({
        title: "C",
        assignedAgentId: "bot",
        notBefore: "1970-01-01T00:10:00Z",
        priority: "high",
      });
      assert.deepStrictEqual(yield* titles({ ready: true }), ["A"]);
      assert.deepStrictEqual(yield* titles({ ready: false }), ["C", "B"]);
      yield* TestClock.adjust("10 minutes");
      assert.deepStrictEqual(yield* titles({ ready: true, sort: "priority" }), ["C", "A"]);
      yield* heartbeat("bot", { capacity: 1 });
      assert.deepStrictEqual(yield* titles({ ready: true }), ["A"]);
    }),
  );

  check(
    "[issues.list.sort] a list is sorted by creation, update or priority, in both orders",
    Effect.gen(function* () {
      const ids: Array<string> = [];
      for (const [title, priority] of [
        ["A", "low"],
        ["B", "urgent"],
        ["C", "normal"],
        ["D", "urgent"],
      ] as const) {
        ids.push((yield* create({ title, priority })).id);
      }
      yield* TestClock.adjust("1 minute");
      yield* put(ids[1] ?? "", { description: "Again" });
      const orders: ReadonlyArray<readonly [IssueFilter.IssueSort, Array<string>]> = [
        ["created", ["D", "C", "B", "A"]],
        ["updated", ["B", "D", "C", "A"]],
        ["priority", ["B", "D", "C", "A"]],
      ];
      for (const [sort, expected] of orders) {
        assert.deepStrictEqual(yield* titles({ sort }), expected);
        assert.deepStrictEqual(yield* titles({ sort, order: "asc" }), expected.toReversed());
        const first = yield* list({ sort, limit: 2 });
        const rest = yield* list({ sort, limit: 2, cursor: first.next ?? "" });
        assert.deepStrictEqual([...first.titles, ...rest.titles], expected);
        const across = yield* Issues.Issues.use((issues) => issues.listAcross({ sort }));
        assert.deepStrictEqual(
          across.items.map(({ title }) => title),
          expected,
        );
        const other = list({ sort, order: "asc", cursor: first.next ?? "" });
        assert.strictEqual((yield* refusal(other))._tag, "InvalidRequest");
      }
    }),
  );

  check(
    "[issues.list.search-words] a search of more than 32 distinct words is refused",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const words = Array.from({ length: 32 }, (_, index) => `w${index}`).join(" ");
      yield* create({ title: "A", description: words });
      assert.deepStrictEqual(yield* titles({ q: `${words} ${words.toUpperCase()}` }), ["A"]);
      assert.deepInclude(yield* refusal(issues.list(project, { q: `${words} w32` })), {
        _tag: "InvalidRequest",
        errors: [{ path: "q", message: "has 33 distinct words; use at most 32" }],
      });
    }),
  );

  check(
    "[issues.list.search] a search finds all words in any order and case, without syntax, also in comments",
    Effect.gen(function* () {
      const comments = yield* Comments.Comments;
      const { id } = yield* create({ title: "Mend the ROOF", description: "Zürich, naïve" });
      yield* comments.create(id, { content: "two slates are loose", authorType: "User" });
      yield* create({ title: "Paint the door" });
      assert.deepStrictEqual(yield* titles({ q: "roof mend" }), ["Mend the ROOF"]);
      assert.deepStrictEqual(yield* titles({ q: "SLATES zürich" }), ["Mend the ROOF"]);
      assert.deepStrictEqual(yield* titles({ q: "roof OR door" }), []);
      assert.deepStrictEqual(yield* titles({ q: "the" }), ["Paint the door", "Mend the ROOF"]);
      assert.deepStrictEqual(yield* titles({ q: '"roof"* -door' }), []);
      assert.deepStrictEqual(yield* titles({ q: "naive slat" }), ["Mend the ROOF"]);
      assert.deepStrictEqual(yield* titles({ q: "?!" }), []);
      assert.lengthOf(yield* titles({ q: "  " }), 2);
    }),
  );

  check(
    "[search.snippet] a brief list says where a search found each issue",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const comments = yield* Comments.Comments;
      const long = "lorem ipsum ".repeat(20);
      const { id } = yield* create({ title: "Rate limits", labels: ["api"] });
      yield* comments.create(id, { content: `${long}Réfunds fail. ${long}`, authorType: "User" });
      yield* create({ title: "Refund the order", description: "The api limits it" });
      const found = (request: Parameters<typeof issues.listBrief>[1]) =>
        Effect.map(issues.listBrief(project, request), ({ items }) =>
          items.map(({ matchedIn, snippet }) => [matchedIn, snippet] as const),
        );
      const marked = (text: string) => text.replaceAll("<", "\u0002").replaceAll(">", "\u0003");
      const [inTitle, inComment, ...others] = yield* found({ q: "refun" });
      assert.deepStrictEqual(others, []);
      assert.deepStrictEqual(inTitle, [["title"], marked("<Refund> the order")]);
      assert.deepStrictEqual(inComment?.[0], ["comments"]);
      const snippet = inComment?.[1] ?? "";
      assert.include(snippet, marked("…lorem ipsum lorem ipsum lorem ipsum <Réfunds> fail."));
      assert.strictEqual(snippet.length, 162);
      assert.match(snippet, /^….*…$/su);
      assert.deepStrictEqual(yield* found({ q: "limits api", sort: "created" }), [
        [["description"], marked("The <api> <limits> it")],
        [["title", "labels"], marked("<api>")],
      ]);
      const { key } = yield* issues.get(id);
      yield* create({ title: `After ${key}` });
      const byKey = yield* issues.listBrief(project, { q: key.toLowerCase() });
      assert.deepStrictEqual(
        byKey.items.map(({ matchedIn, title }) => [title, matchedIn]),
        [
          ["Rate limits", ["key"]],
          [`After ${key}`, ["key", "title"]],
        ],
      );
      const next = yield* issues.listBrief(project, { q: key, limit: 1 });
      const rest = yield* issues.listBrief(project, { q: key, cursor: next.next ?? "" });
      assert.deepStrictEqual(
        [...next.items, ...rest.items].map(({ title }) => title),
        ["Rate limits", `After ${key}`],
      );
      const backwards = yield* issues.listBrief(project, { q: key, order: "asc" });
      assert.deepStrictEqual(
        backwards.items.map(({ title }) => title),
        [`After ${key}`, "Rate limits"],
      );
      assert.deepStrictEqual((yield* found({}))[0], [undefined, undefined]);
      assert.deepInclude(yield* refusal(issues.list(project, { sort: "relevance" })), {
        _tag: "InvalidRequest",
      });
    }),
  );

  check(
    "[page.cursor] pages follow each other, also while issues are created",
    Effect.gen(function* () {
      for (const title of ["A", "B", "C", "D", "E"]) yield* create({ title });
      const first = yield* list({ limit: 2 });
      assert.deepStrictEqual(first.titles, ["E", "D"]);
      yield* create({ title: "F" });
      const second = yield* list({ limit: 2, cursor: first.next ?? "" });
      assert.deepStrictEqual(second.titles, ["C", "B"]);
      const third = yield* list({ limit: 2, cursor: second.next ?? "" });
      assert.deepStrictEqual(third, { titles: ["A"], next: null });
    }),
  );

  check(
    "[page.exact] a full last page has no next",
    Effect.gen(function* () {
      yield* create({ title: "A" });
      yield* create({ title: "B" });
      assert.deepStrictEqual(yield* list({ limit: 2 }), { titles: ["B", "A"], next: null });
    }),
  );

  check(
    "[page.refusals] a list refuses limits beyond 1 to 500 and cursors of other queries",
    Effect.gen(function* () {
      for (const title of ["A", "B"]) yield* create({ title, goalId: "g" });
      const { next } = yield* list({ limit: 1 });
      const cursor = next ?? "";
      for (const [request, path] of [
        [{ limit: 0 }, "limit"],
        [{ limit: 501 }, "limit"],
        [{ limit: 1.5 }, "limit"],
        [{ limit: Number.NaN }, "limit"],
        [{ cursor: "" }, "cursor"],
        [{ cursor: "%%%" }, "cursor"],
        [{ cursor: "MS4y" }, "cursor"],
        [{ cursor, goalId: "g" }, "cursor"],
        [{ cursor, order: "asc" }, "cursor"],
        [{ cursor, q: "a" }, "cursor"],
      ] as const) {
        const refusal = yield* Effect.flip(list(request));
        assert.strictEqual(refusal._tag, "InvalidRequest");
        assert.include(refusal.message, path, JSON.stringify(request));
      }
      const elsewhere = yield* Effect.flip(list({ cursor }, "other"));
      assert.strictEqual(elsewhere._tag, "InvalidRequest");
      assert.deepStrictEqual((yield* list({ cursor, limit: 500 })).titles, ["A"]);
    }),
  );

  check(
    "[page.refusals] a list refuses a wrong limit before it reports a missing issue",
    Effect.gen(function* () {
      const { list: attachments } = yield* Attachments.Attachments;
      const { list: comments } = yield* Comments.Comments;
      const { activity, list: issues } = yield* Issues.Issues;
      const { list: links } = yield* Links.Links;
      const { list: runs } = yield* Runs.Runs;
      const elsewhere = Callers.as(Callers.user("bob", { projects: ["elsewhere"] }));
      const reads: ReadonlyArray<(page: Page.PageRequest) => Call> = [
        (page) => attachments("iss_none", page),
        (page) => comments("iss_none", page),
        (page) => activity("iss_none", page),
        (page) => links("iss_none", page),
        (page) => runs("nobody", page),
        (page) => issues("project", page),
        (page) => issues("project", { ...page, q: "%" }),
      ];
      for (const read of reads) {
        const bad = yield* refusal(elsewhere(read({ cursor: "x" })));
        assert.strictEqual(bad._tag, "InvalidRequest");
        assert.strictEqual((yield* refusal(elsewhere(read({}))))._tag, "NotFound");
      }
    }),
  );

  check(
    "[issues.brief] a brief issue has its open neighbors, open questions and live run",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const { issue, runId } = yield* executing();
      yield* create({ title: "B", blockedByIssueId: issue.id });
      const done = yield* create({ title: "C", blockedByIssueId: issue.id });
      yield* put(done.id, { status: "Resolved" });
      yield* Questions.Questions.use((questions) => questions.ask(issue.id, { prompt: "Why?" }));
      const { items } = yield* issues.listBrief(project, { order: "asc" });
      const { description: _, links: __, metadata: ___, ...rest } = yield* issues.get(issue.id);
      const brief: BriefIssue.BriefIssue = {
        ...rest,
        blockedByCount: 0,
        blocksCount: 1,
        openQuestions: 1,
        liveRun: { runId, agentId: "bot", leaseExpiresAt: "1970-01-01T00:05:00.000Z" },
      };
      assert.deepStrictEqual(items[0], brief);
      assert.deepStrictEqual(yield* issues.getBrief(issue.id), brief);
      assert.deepInclude(items[1], {
        title: "B",
        blockedByCount: 1,
        blocksCount: 0,
        liveRun: null,
      });
      const assigned = yield* issues.assigned().pipe(Callers.as(Callers.agent("bot")));
      assert.deepStrictEqual(assigned.items, [brief]);
      const next = yield* issues.listBrief(project, { order: "asc", limit: 1 });
      assert.isNotNull(next.next);
      yield* TestClock.adjust("5 minutes");
      assert.isNull((yield* issues.getBrief(issue.id)).liveRun);
    }),
  );

  check(
    "[issues.brief.visible] a brief issue counts no issue of a hidden project",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      const hidden = yield* create({}, "other");
      const { id } = yield* create({ blockedByIssueId: hidden.id });
      yield* create({ blockedByIssueId: id }, "other");
      const counts = Effect.map(issues.getBrief(id), (brief) => [
        brief.blockedByCount,
        brief.blocksCount,
      ]);
      assert.deepStrictEqual(yield* counts, [1, 1]);
      const bound = Callers.user("eve", { projects: [project] });
      assert.deepStrictEqual(yield* counts.pipe(Callers.as(bound)), [0, 0]);
      const other = Callers.user("eve", { projects: ["other"] });
      assert.strictEqual(
        (yield* refusal(issues.getBrief(id).pipe(Callers.as(other))))._tag,
        "NotFound",
      );
    }),
  );

  check(
    "[issues.across] a list over all projects has the issues of visible projects, newest first",
    Effect.gen(function* () {
      const issues = yield* Issues.Issues;
      yield* create({ title: "A", priority: "low" });
      yield* create({ title: "B" }, "other");
      yield* create({ title: "C", priority: "low" }, "third");
      const across = (request: Parameters<typeof issues.listAcross>[0] = {}) =>
        Effect.map(issues.listAcross(request), ({ items }) => items.map(({ title }) => title));
      assert.deepStrictEqual(yield* across(), ["C", "B", "A"]);
      assert.deepStrictEqual(yield* across({ order: "asc", priority: "low" }), ["A", "C"]);
      assert.deepStrictEqual(yield* across({ projectId: ["third", "other", "third"] }), ["C", "B"]);
      assert.deepStrictEqual(yield* across({ projectId: ["unknown"] }), []);
      assert.deepStrictEqual(yield* across({ q: "..." }), []);
      assert.deepStrictEqual(yield* across({ q: "b" }), ["B"]);
      const bound = Callers.as(Callers.user("eve", { projects: [project, "other"] }));
      assert.deepStrictEqual(yield* bound(across()), ["B", "A"]);
      assert.deepStrictEqual(yield* bound(across({ projectId: ["third", "other"] })), ["B"]);
      assert.deepStrictEqual(yield* bound(across({ projectId: ["third"] })), []);
      const first = yield* issues.listAcross({ limit: 2 });
      const rest = yield* issues.listAcrossBrief({ limit: 2, cursor: first.next ?? undefined });
      assert.deepStrictEqual(
        rest.items.map(({ blocksCount, title }) => [title, blocksCount]),
        [["A", 0]],
      );
      const other = yield* refusal(
        issues.listAcross({ cursor: first.next ?? undefined, projectId: ["other"] }),
      );
      assert.strictEqual(other._tag, "InvalidRequest");
    }),
  );
});
