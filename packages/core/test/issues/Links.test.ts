import { assert, describe } from "@effect/vitest";
import { CoreOptions, Issues, Links } from "@quartermaster/core";
import { Callers } from "@quartermaster/testing";
import { Effect, Layer } from "effect";
import {
  type Call,
  check,
  checkWith,
  create,
  get,
  inStatus,
  kinds,
  link,
  refusal,
} from "../support/World.ts";

const fewLinks = Layer.succeed(CoreOptions.CoreOptions, {
  ...CoreOptions.CoreOptions.defaultValue(),
  maxLinks: 2,
});

describe("Links", () => {
  check(
    "[links.seen] both ends show the same link",
    Effect.gen(function* () {
      const links = yield* Links.Links;
      const [one, other] = [yield* create(), yield* create()];
      const seen = Effect.fnUntraced(function* (id: string) {
        const { items } = yield* links.list(id);
        return items.map(({ linkType, direction }) => `${linkType} ${direction}`);
      });
      for (const type of ["Blocks", "RelatedTo", "DuplicateOf"] as const) {
        const made = yield* link(one.id, type, other.id);
        assert.deepInclude(made, {
          issueId: one.id,
          targetIssueId: other.id,
          linkType: type,
          direction: "outgoing",
          createdBy: { type: "User", id: "alice" },
        });
        assert.match(made.id, /^lnk_/);
      }
      const outgoing = ["Blocks outgoing", "RelatedTo outgoing", "DuplicateOf outgoing"];
      assert.deepStrictEqual(yield* seen(one.id), outgoing);
      const incoming = ["BlockedBy incoming", "RelatedTo incoming", "DuplicateOf incoming"];
      assert.deepStrictEqual(yield* seen(other.id), incoming);
      assert.deepStrictEqual((yield* get(other.id)).links, (yield* links.list(other.id)).items);
      const lists = [yield* kinds(one.id), yield* kinds(other.id)];
      for (const list of lists)
        assert.lengthOf(
          list.filter((kind) => kind === "linked"),
          3,
        );
    }),
  );

  check(
    "[links.exists] a second link of the same relation, from either end, fails and names the first",
    Effect.gen(function* () {
      for (const [type, mirror] of [
        ["Blocks", "BlockedBy"],
        ["BlockedBy", "Blocks"],
        ["RelatedTo", "RelatedTo"],
        ["DuplicateOf", "DuplicateOf"],
      ] as const) {
        const [one, other] = [yield* create(), yield* create()];
        const made = yield* link(one.id, type, other.id);
        for (const again of [link(one.id, type, other.id), link(other.id, mirror, one.id)]) {
          const refused = yield* Effect.flip(again);
          assert.deepInclude(refused, { _tag: "LinkExists", linkId: made.id });
        }
      }
    }),
  );

  check(
    "[links.cycle] the error names a cycle from the issue back to itself, from either end",
    Effect.gen(function* () {
      const [a, b, c] = [yield* create(), yield* create(), yield* create()];
      yield* link(a.id, "Blocks", b.id);
      yield* link(b.id, "Blocks", c.id);
      const outward = yield* Effect.flip(link(c.id, "Blocks", a.id));
      assert.deepInclude(outward, { _tag: "DependencyCycle", cycle: [c.id, a.id, b.id, c.id] });
      const inward = yield* Effect.flip(link(a.id, "BlockedBy", c.id));
      assert.deepInclude(inward, { _tag: "DependencyCycle", cycle: [a.id, b.id, c.id, a.id] });
      const pair = yield* Effect.flip(link(b.id, "Blocks", a.id));
      assert.deepInclude(pair, { cycle: [b.id, a.id, b.id] });
      assert.strictEqual((yield* link(c.id, "RelatedTo", a.id)).linkType, "RelatedTo");
    }),
  );

  check(
    "[links.cycle] a long cycle has 100 ids in the error and ends at the issue",
    Effect.gen(function* () {
      const first = yield* create();
      let last = first;
      for (let n = 0; n < 100; n++) {
        const next = yield* create();
        yield* link(last.id, "Blocks", next.id);
        last = next;
      }
      const refused = yield* Effect.flip(link(first.id, "BlockedBy", last.id));
      assert(refused._tag === "DependencyCycle");
      assert.lengthOf(refused.cycle, 100);
      assert.deepStrictEqual([refused.cycle[0], refused.cycle.at(-1)], [first.id, first.id]);
    }),
  );

  check(
    "[links.cycle.done] issues that are done also close a cycle",
    Effect.gen(function* () {
      const done = yield* inStatus("Closed");
      const open = yield* create();
      yield* link(open.id, "BlockedBy", done.id);
      const refused = yield* Effect.flip(link(done.id, "BlockedBy", open.id));
      assert.strictEqual(refused._tag, "DependencyCycle");
    }),
  );

  check(
    "[links.refusals.order] a link is refused with 403, 400, 404, 422 and 409, in this order",
    Effect.gen(function* () {
      const links = yield* Links.Links;
      const { id } = yield* create();
      const viewer = Callers.as(Callers.user("eve", { role: "Viewer" }));
      const bad = { linkType: "Likes" as "Blocks", targetIssueId: "iss_none" };
      assert.strictEqual((yield* Effect.flip(viewer(links.create("x", bad))))._tag, "Forbidden");
      assert.strictEqual((yield* Effect.flip(links.create("x", bad)))._tag, "InvalidRequest");
      assert.strictEqual((yield* Effect.flip(link("x", "Blocks", "iss_none")))._tag, "NotFound");
      const unknown = yield* Effect.flip(link(id, "Blocks", "iss_none"));
      assert.deepInclude(unknown, {
        _tag: "UnknownReference",
        field: "targetIssueId",
        id: "iss_none",
      });
      assert.strictEqual((yield* Effect.flip(link(id, "RelatedTo", id)))._tag, "SelfLink");
      assert.strictEqual((yield* Effect.flip(viewer(links.remove("x"))))._tag, "Forbidden");
      assert.strictEqual((yield* Effect.flip(links.remove("x")))._tag, "NotFound");
    }),
  );

  checkWith(
    fewLinks,
    "[links.limit] each end has at most the limit of links of any type, and a removal makes room",
    Effect.gen(function* () {
      const links = yield* Links.Links;
      const [full, other] = [yield* create(), yield* create()];
      yield* link(full.id, "RelatedTo", (yield* create()).id);
      const made = yield* link(full.id, "DuplicateOf", (yield* create()).id);
      const calls: ReadonlyArray<Call> = [
        link(full.id, "Blocks", other.id),
        link(other.id, "BlockedBy", full.id),
        create({ blockedByIssueId: full.id }),
      ];
      for (const one of calls) {
        assert.deepInclude(yield* refusal(one), { _tag: "LimitExceeded", limit: 2 });
      }
      yield* links.remove(made.id);
      assert.strictEqual((yield* link(other.id, "BlockedBy", full.id)).linkType, "BlockedBy");
    }),
  );

  check(
    "[links.remove] both timelines record a removal, and a second one finds nothing",
    Effect.gen(function* () {
      const links = yield* Links.Links;
      const [one, other] = [yield* create(), yield* create()];
      const made = yield* link(one.id, "RelatedTo", other.id);
      yield* links.remove(made.id);
      for (const { id } of [one, other]) {
        assert.strictEqual((yield* kinds(id)).at(-1), "unlinked");
        assert.deepStrictEqual((yield* get(id)).links, []);
      }
      assert.strictEqual((yield* Effect.flip(links.remove(made.id)))._tag, "NotFound");
    }),
  );

  check(
    "[links.first-hundred] an issue shows its first 100 links, oldest first",
    Effect.gen(function* () {
      const { id } = yield* create();
      const made: Array<string> = [];
      for (let n = 0; n < 101; n++) {
        made.push((yield* link(id, "RelatedTo", (yield* create()).id)).id);
      }
      const shown = (yield* get(id)).links.map((link) => link.id);
      assert.deepStrictEqual(shown, made.slice(0, 100));
      const issues = yield* Issues.Issues;
      yield* issues.remove(id, { confirm: true });
      assert.strictEqual((yield* Effect.flip(get(id)))._tag, "NotFound");
    }),
  );
});
