import { assert, describe } from "@effect/vitest";
import {
  CoreOptions,
  Directory,
  EventStore,
  IssueKeys,
  Issues,
  Links,
  ProjectPrefix,
  Projects,
} from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect, Layer } from "effect";
import { check, checkWith, create, get, link, project, refusal } from "../support/World.ts";

const projects = Projects.Projects;
const plan = (issues: Parameters<(typeof Issues.Issues)["Service"]["plan"]>[1]["issues"]) =>
  Issues.Issues.use((service) => service.plan(project, { issues }));
const admin = Callers.as(Callers.user("root", { role: "Admin" }));
const bob = Callers.as(Callers.user("bob", { projects: ["elsewhere"] }));

describe("Keys of issues", () => {
  check(
    "[keys.issue] an issue has the prefix of its project and its number, which is never used again",
    Effect.gen(function* () {
      const first = yield* create();
      const second = yield* create();
      assert.deepStrictEqual([first.key, second.key], ["PROJECT-1", "PROJECT-2"]);
      yield* Issues.Issues.use((issues) => issues.remove(second.id, { confirm: true }));
      assert.strictEqual((yield* create()).key, "PROJECT-3");
      assert.strictEqual((yield* get("project-1")).id, first.id);
      assert.strictEqual((yield* refusal(get("PROJECT-2")))["_tag"], "NotFound");
    }),
  );

  check(
    "[keys.issue] the events of links keep the keys of their issues, also of deleted ones",
    Effect.gen(function* () {
      const events = yield* EventStore.EventStore;
      const [first, second, third] = [yield* create(), yield* create(), yield* create()];
      const { id } = yield* link(first.id, "Blocks", second.id);
      yield* Links.Links.use((links) => links.remove(id));
      yield* link(first.id, "RelatedTo", third.id);
      for (const issue of [first, second, third]) {
        yield* Issues.Issues.use((issues) => issues.remove(issue.id, { confirm: true }));
      }
      const all = yield* events.list(
        { projects: null, kinds: ["issue.linked", "issue.unlinked"] },
        { after: 0, until: yield* events.lastSeq, limit: 500 },
      );
      assert.deepStrictEqual(
        all.map(({ issueKey, kind }) => `${kind} ${issueKey}`),
        [
          "issue.linked PROJECT-1",
          "issue.linked PROJECT-2",
          "issue.unlinked PROJECT-1",
          "issue.unlinked PROJECT-2",
          "issue.linked PROJECT-1",
          "issue.linked PROJECT-3",
          "issue.unlinked PROJECT-3",
        ],
      );
    }),
  );

  check(
    "[keys.hidden] a key of an issue that the caller may not see is refused like an unknown one",
    Effect.gen(function* () {
      yield* create();
      const issues = yield* Issues.Issues;
      const other = yield* create({}, "elsewhere");
      for (const call of [
        issues.get,
        issues.getBrief,
        issues.readiness,
        issues.graph,
        (key: string) => issues.update(key, { title: "x" }),
        (key: string) => issues.close(key),
        (key: string) => issues.activity(key),
        (key: string) => link(key, "Blocks", other.id),
        (key: string) => link(other.id, "Blocks", key),
        (key: string) => create({ blockedByIssueId: key }, "elsewhere"),
      ]) {
        const hidden = yield* bob(refusal(call("PROJECT-1")));
        const unknown = yield* bob(refusal(call("PROJECT-9")));
        assert.include(JSON.stringify(hidden), "PROJECT-1");
        assert.strictEqual(
          JSON.stringify(hidden).replaceAll("PROJECT-1", "PROJECT-9"),
          JSON.stringify(unknown),
        );
      }
    }),
  );

  check(
    "[keys.plan] blockers of a plan are named by ref, by key or by id, and a ref wins over a key",
    Effect.gen(function* () {
      const existing = yield* create();
      const [a, b, c] = yield* plan([
        { ref: "PROJECT-1", title: "A" },
        { ref: "b", title: "B", blockedBy: ["PROJECT-1"] },
        {
          ref: "c",
          title: "C",
          blockedBy: ["project-1", existing.id],
          blockedByIssueId: "PROJECT-1",
        },
      ]);
      const blockers = (issue: typeof a) => issue?.issue.links.map((one) => one.targetIssueId);
      assert.deepStrictEqual(blockers(b), [a?.issue.id]);
      assert.sameMembers([...(blockers(c) ?? [])], [a?.issue.id, existing.id]);
      const unknown = yield* refusal(plan([{ ref: "d", title: "D", blockedBy: ["SHOP-9"] }]));
      assert.deepInclude(unknown, { _tag: "UnknownReference", id: "SHOP-9" });
    }),
  );

  check(
    "[keys.links] links by key are the links by id: they exist once, and close no circle",
    Effect.gen(function* () {
      const { id } = yield* create();
      const other = yield* create();
      const made = yield* link("project-1", "Blocks", "project-2");
      assert.strictEqual(made.targetIssueId, other.id);
      for (const [source, type, target, tag] of [
        [id, "Blocks", "PROJECT-2", "LinkExists"],
        ["PROJECT-2", "Blocks", "PROJECT-1", "DependencyCycle"],
        ["PROJECT-2", "RelatedTo", other.id, "SelfLink"],
      ] as const) {
        assert.strictEqual((yield* refusal(link(source, type, target)))._tag, tag);
      }
    }),
  );

  check(
    "[keys.prefix] a prefix is made from the id, with digits where it is taken, or tells nothing",
    Effect.gen(function* () {
      const keyIn = (id: string) => Effect.map(create({}, id), ({ key }) => key);
      const ids = ["shop", "SHOP", "s.h:o_p", "7", "-", "a", "a-very-long-name"];
      assert.deepStrictEqual(yield* Effect.forEach(ids, keyIn), [
        "SHOP-1",
        "SHOP2-1",
        "SHOP3-1",
        "P7-1",
        "P1-1",
        "PA-1",
        "AVERYLONGN-1",
      ]);
      const bound = Callers.as(Callers.user("bob", { projects: ["mine"] }));
      assert.match(yield* bound(keyIn("mine")), /^P[A-Z2-9]{5}-1$/);
    }),
  );

  check(
    "[keys.renamed] earlier keys continue to work, and a prefix belongs to its project forever",
    Effect.gen(function* () {
      const { id } = yield* create();
      yield* create({}, "elsewhere");
      const service = yield* projects;
      const put = (projectId: string, prefix: string) => admin(service.put(projectId, { prefix }));
      assert.strictEqual((yield* put(project, "ROOF")).prefix, "ROOF");
      assert.strictEqual((yield* get("PROJECT-1")).key, "ROOF-1");
      assert.strictEqual((yield* get("roof-1")).id, id);
      for (const taken of ["PROJECT", "ROOF"]) {
        assert.strictEqual((yield* refusal(put("elsewhere", taken)))._tag, "Exists");
      }
      assert.strictEqual((yield* put(project, "PROJECT")).prefix, "PROJECT");
      for (let n = 3; n <= 20; n++) yield* put(project, `ROOF${n}`);
      assert.deepInclude(yield* refusal(put(project, "ROOF21")), {
        _tag: "LimitExceeded",
        limit: 20,
      });
      assert.strictEqual((yield* put(project, "ROOF")).prefix, "ROOF");
      for (const wrong of ["roof", "R", "1ROOF", "ROOF-1", "ELEVENCHARS"]) {
        assert.strictEqual((yield* refusal(put(project, wrong)))._tag, "InvalidRequest");
      }
    }),
  );

  check(
    "[projects.create] a person creates a project, and only an Admin names its prefix",
    Effect.gen(function* () {
      const service = yield* projects;
      const shop = yield* admin(service.create({ id: "shop", name: " Shop ", prefix: "SH" }));
      assert.deepStrictEqual(yield* service.get("shop"), shop);
      assert.deepInclude(shop, { id: "shop", name: "Shop", prefix: "SH", description: null });
      assert.strictEqual((yield* create({}, "shop")).key, "SH-1");
      for (const taken of [{ id: "shop" }, { id: "roof", prefix: "SH" }]) {
        assert.strictEqual((yield* admin(refusal(service.create(taken))))._tag, "Exists");
      }
      const editor = Callers.as(Callers.user("ada", { role: "Editor" }));
      assert.strictEqual((yield* editor(service.create({ id: "roof" }))).prefix, "ROOF");
      for (const call of [
        editor(service.create({ id: "web", prefix: "WEB" })),
        editor(service.put("roof", { prefix: "RO" })),
        bob(service.create({ id: "elsewhere" })),
        bob(service.put("elsewhere", { prefix: "ELSE" })),
        Callers.as(Callers.agent("bot"))(service.create({ id: "web" })),
      ]) {
        assert.strictEqual((yield* refusal(call))._tag, "Forbidden");
      }
      assert.strictEqual((yield* bob(refusal(service.get("shop"))))._tag, "NotFound");
      assert.strictEqual((yield* refusal(service.get("web")))._tag, "NotFound");
      const named = yield* service.put("shop", { name: null, description: "Sells roofs." });
      assert.deepInclude(named, { name: null, description: "Sells roofs.", prefix: "SH" });
    }),
  );

  const strict = Layer.succeed(CoreOptions.CoreOptions, {
    ...CoreOptions.CoreOptions.defaultValue(),
    strictProjects: true,
  });
  checkWith(
    strict,
    "[projects.strict] with strict projects an issue needs a project that exists",
    Effect.gen(function* () {
      const service = yield* projects;
      assert.deepInclude(yield* refusal(create()), {
        _tag: "UnknownReference",
        field: "projectId",
      });
      assert.strictEqual((yield* refusal(service.put(project, { paused: true })))._tag, "NotFound");
      yield* service.create({ id: project });
      assert.strictEqual((yield* create()).key, "PROJECT-1");
    }),
  );

  checkWith(
    Layer.succeed(Directory.Directory, { knows: () => Effect.succeed(true) }),
    "[projects.directory] a caller cannot create a project where the host has a directory",
    Effect.gen(function* () {
      const service = yield* projects;
      assert.strictEqual((yield* refusal(service.create({ id: "shop" })))._tag, "NotFound");
      assert.strictEqual((yield* create({}, "shop")).key, "SHOP-1");
    }),
  );

  check(
    "[search.keys] a list finds the issues whose keys start with q, after the exact one, and says so",
    Effect.gen(function* () {
      for (let number = 1; number <= 11; number++) {
        yield* create({ title: number === 3 ? "After SHOP-1" : "Another" }, "shop");
      }
      const issues = yield* Issues.Issues;
      const { items } = yield* issues.listBrief("shop", { q: "shop-1" });
      assert.deepStrictEqual(
        items.map(({ key, matchedIn }) => [key, matchedIn]),
        [
          ["SHOP-1", ["key"]],
          ["SHOP-11", ["key"]],
          ["SHOP-10", ["key"]],
          ["SHOP-3", ["key", "title"]],
        ],
      );
    }),
  );

  check(
    "[search.key-words] a list finds issues by the words of their keys, within what the caller may see",
    Effect.gen(function* () {
      yield* create({ title: "Paint the stripes" }, "zebra");
      for (let count = 0; count < 12; count++) yield* create({ title: "Another" }, "zebra");
      yield* create({ title: "Another" }, "shop");
      yield* create({ title: "A zebra" }, "shop");
      const issues = yield* Issues.Issues;
      const found = (q: string) =>
        Effect.map(issues.listAcrossBrief({ q, limit: 50 }), ({ items }) =>
          items.map(({ key, matchedIn, snippet }) => [key, matchedIn, snippet]),
        );
      for (const q of ["ze", "ZEBRA", "Zebra-"]) {
        const [first, ...rest] = yield* found(q);
        assert.deepStrictEqual(first, ["SHOP-2", ["title"], "A \u0002zebra\u0003"]);
        assert.sameDeepMembers(
          rest,
          Array.from({ length: 13 }, (_, index) => [`ZEBRA-${index + 1}`, ["key"], null]),
        );
      }
      assert.deepStrictEqual(yield* found("z"), []);
      assert.deepStrictEqual(yield* found("ZEBRA 1"), [["ZEBRA-1", ["key"], null]]);
      assert.deepStrictEqual(yield* found("#12"), [["ZEBRA-12", ["key"], null]]);
      assert.deepStrictEqual(yield* found("stripes zeb"), [
        ["ZEBRA-1", ["key", "title"], "Paint the \u0002stripes\u0003"],
      ]);
      const bound = Callers.as(Callers.user("ada", { role: "Viewer", projects: ["shop"] }));
      for (const q of ["ze", "zebra"]) {
        assert.deepStrictEqual(
          (yield* bound(found(q))).map(([key]) => key),
          ["SHOP-2"],
        );
      }
      assert.deepStrictEqual(yield* bound(found("12")), []);
    }),
  );

  check(
    "[keys.text] a key is a prefix and a number without leading zeros",
    Effect.sync(() => {
      assert.deepStrictEqual(IssueKeys.parse("shop-142"), { prefix: "SHOP", number: 142 });
      for (const text of [
        "SHOP",
        "SHOP-",
        "SHOP-0",
        "SHOP-01",
        "S-1",
        "iss_01",
        "SHOP-1 ",
        "7A-1",
      ]) {
        assert.isUndefined(IssueKeys.parse(text), text);
      }
      const many = Array.from({ length: 60 }, (_, tries) =>
        ProjectPrefix.fromId("shop", tries, 0.57),
      );
      for (const prefix of many) assert.match(prefix, /^[A-Z][A-Z0-9]{1,9}$/);
    }),
  );
});
