import { assert } from "@effect/vitest";
import {
  ActivityStore,
  AttachmentStore,
  CommentStore,
  Issue,
  IssueStore,
  LinkStore,
  type Run,
  RunStore,
} from "@quartermaster/core";
import { Effect, Option, Schema } from "effect";
import * as Fixtures from "../../Fixtures.ts";
import { type Storage, transact } from "../../Storage.ts";
import { everything, ids, type It, texts } from "../../Suite.ts";

const full: Partial<Issue.IssueRow> = {
  title: "Mend the roof",
  description: "Before winter",
  status: "Closed",
  priority: "urgent",
  assignedAgentId: "agent",
  assigneeUserId: "alice",
  goalId: "goal",
  labels: ["a'b", "é", "\u{10ffff}"],
  metadata: { "": " ", __proto__x: '"', ключ: "\u0001" },
  pausedBecause: "tooManyAttempts",
  attempts: 3,
  notBefore: Fixtures.at(5.5),
  resumed: true,
  version: 7,
  createdBy: { type: "Agent", id: "agent" },
  createdAt: Fixtures.at(0.001),
  updatedAt: Fixtures.at(1.01),
  startedAt: Fixtures.at(2.1),
  resolvedAt: Fixtures.at(3),
  closedAt: Fixtures.at(4.999),
};

const empty: Partial<Issue.IssueRow> = {
  description: null,
  status: "Open",
  priority: "low",
  assignedAgentId: null,
  assigneeUserId: null,
  goalId: null,
  labels: [],
  metadata: {},
  pausedBecause: null,
  attempts: 0,
  notBefore: null,
  resumed: false,
  version: 8,
  startedAt: null,
  resolvedAt: null,
  closedAt: null,
};

/** Arbitrary well-formed text. */
const codePoints = Schema.Array(
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 0x10ffff })),
);
const textOf = (points: ReadonlyArray<number>): string =>
  String.fromCodePoint(...points).toWellFormed();

export const tests = (it: It<Storage>): void => {
  it.effect("insert stores every field and assigns a growing seq", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const { prefix, ...row } = yield* Fixtures.issueRow(full);
      const { number } = yield* transact(issues.insert({ ...row, prefix }));
      const kept = Option.getOrThrow(yield* issues.get(row.id));
      assert.deepStrictEqual(kept, { ...row, number, key: `-${number}`, seq: kept.seq });
      const next = yield* Fixtures.issue(empty);
      assert.isAbove(next.seq, kept.seq);
      assert.deepStrictEqual(yield* issues.get(next.id), Option.some(next));
    }),
  );

  it.effect("get of an unknown id, or of an id in another case, returns none", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const { id } = yield* Fixtures.issue();
      for (const unknown of ["", "iss_unknown", id.toLowerCase(), `${id} `, `${id}\u0000`]) {
        assert.deepStrictEqual(yield* issues.get(unknown), Option.none());
      }
    }),
  );

  it.effect.each(texts)("keeps the text %j", (text) =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const kept = yield* Fixtures.issue({ title: text, description: text });
      const read = yield* issues.get(kept.id);
      assert.deepStrictEqual(read, Option.some(kept));
      assert.strictEqual(kept.title, text);
      assert.strictEqual(kept.description, text);
    }),
  );

  it.effect.prop(
    "keeps any text",
    { title: codePoints, description: codePoints },
    ({ description, title }) =>
      Effect.gen(function* () {
        const issues = yield* IssueStore.IssueStore;
        const kept = yield* Fixtures.issue({
          title: textOf(title),
          description: textOf(description),
        });
        assert.deepStrictEqual(yield* issues.get(kept.id), Option.some(kept));
      }),
    { arbitrary: { runs: 50 } },
  );

  it.effect("keeps texts as long as they may be", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const kept = yield* Fixtures.issue({
        title: "ß".repeat(256),
        description: "道".repeat(65_536),
      });
      assert.deepStrictEqual(yield* issues.get(kept.id), Option.some(kept));
    }),
  );

  it.effect("update replaces every field of several rows, all but linkCount", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const a = yield* Fixtures.issue(full);
      const b = yield* Fixtures.issue(empty);
      const other = yield* Fixtures.issue();
      yield* Fixtures.link(a, b);
      yield* transact(
        issues.update([
          { ...a, ...empty, linkCount: 0 },
          { ...b, ...full, linkCount: 40 },
        ]),
      );
      assert.deepStrictEqual(
        yield* issues.get(a.id),
        Option.some({ ...a, ...empty, linkCount: 1 }),
      );
      assert.deepStrictEqual(yield* issues.get(b.id), Option.some({ ...b, ...full, linkCount: 1 }));
      assert.deepStrictEqual(yield* issues.get(other.id), Option.some(other));
    }),
  );

  it.effect("idOfExternalRef finds the project's issue, as it is stored", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const projectId = yield* Fixtures.id("project");
      const externalRef = yield* Fixtures.id("goal");
      const find = (project: string, ref: string) =>
        Effect.map(issues.idOfExternalRef(project, ref), Option.getOrNull);
      assert.isNull(yield* find(projectId, externalRef));
      const row = yield* Fixtures.issue({ projectId, externalRef });
      const other = yield* Fixtures.issue({ projectId: `${projectId}x`, externalRef });
      assert.strictEqual(yield* find(projectId, externalRef), row.id);
      assert.strictEqual(yield* find(`${projectId}x`, externalRef), other.id);
      assert.deepStrictEqual(yield* issues.get(row.id), Option.some(row));
      assert.isNull(yield* find(projectId, externalRef.toUpperCase()));
      yield* transact(issues.update([{ ...row, externalRef: `${externalRef} ` }]));
      assert.isNull(yield* find(projectId, externalRef));
      assert.strictEqual(yield* find(projectId, `${externalRef} `), row.id);
      yield* transact(issues.remove(row.id));
      assert.isNull(yield* find(projectId, `${externalRef} `));
    }),
  );

  it.effect("move stores the states of several issues, and changes nothing else", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const a = yield* Fixtures.issue({ ...full, projectId: "a" });
      const b = yield* Fixtures.issue({ ...empty, projectId: "b" });
      const other = yield* Fixtures.issue();
      const moved = (row: Issue.IssueRow, from: Issue.IssueRow): Issue.IssueRow => ({
        ...row,
        ...Issue.stateOf(from),
        id: row.id,
        projectId: row.projectId,
      });
      yield* transact(
        issues.move([
          { ...b, id: a.id },
          { ...a, id: b.id },
        ]),
      );
      assert.deepStrictEqual(yield* issues.get(a.id), Option.some(moved(a, b)));
      assert.deepStrictEqual(yield* issues.get(b.id), Option.some(moved(b, a)));
      yield* transact(issues.move([{ ...a, closedAt: Fixtures.at(9) }]));
      assert.deepStrictEqual(
        yield* issues.get(a.id),
        Option.some({ ...a, closedAt: Fixtures.at(9) }),
      );
      assert.deepStrictEqual(yield* issues.get(other.id), Option.some(other));
      yield* transact(issues.move([]));
      yield* transact(issues.move([{ ...other, id: "iss_unknown" }]));
      assert.deepStrictEqual(yield* issues.get("iss_unknown"), Option.none());
    }),
  );

  it.effect("update of no rows does nothing, and does not restore a removed issue", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const row = yield* Fixtures.issue();
      yield* transact(issues.remove(row.id));
      yield* transact(issues.update([]));
      yield* transact(issues.update([row]));
      assert.deepStrictEqual(yield* issues.get(row.id), Option.none());
    }),
  );

  it.effect("remove also removes comments, attachments, links and timeline, and nothing else", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const activity = yield* ActivityStore.ActivityStore;
      const attachments = yield* AttachmentStore.AttachmentStore;
      const comments = yield* CommentStore.CommentStore;
      const links = yield* LinkStore.LinkStore;
      const projectId = yield* Fixtures.id("project");
      const gone = yield* Fixtures.issue({ projectId });
      const stays = yield* Fixtures.issue({ projectId });
      const goes = {
        comment: yield* Fixtures.comment(gone.id),
        file: yield* transact(attachments.insert(yield* Fixtures.attachmentRow(gone.id))),
        out: yield* Fixtures.link(gone, stays),
        in: yield* Fixtures.link(stays, gone, { relation: "RelatedTo" }),
      };
      const comment = yield* Fixtures.comment(stays.id);
      const file = yield* transact(attachments.insert(yield* Fixtures.attachmentRow(stays.id)));
      yield* transact(
        activity.append([
          yield* Fixtures.activityRow(gone.id),
          yield* Fixtures.activityRow(stays.id),
        ]),
      );

      yield* transact(issues.remove(gone.id));

      const left = yield* issues.list({ projectId }, everything);
      assert.deepStrictEqual(left, [{ ...stays, linkCount: 0 }]);
      assert.deepStrictEqual(yield* issues.facts(gone.id, Fixtures.at(0)), Option.none());
      assert.deepStrictEqual(yield* comments.get(goes.comment.id), Option.none());
      assert.deepStrictEqual(yield* comments.list(gone.id, everything), []);
      assert.deepStrictEqual(yield* attachments.get(goes.file.id), Option.none());
      assert.deepStrictEqual(yield* attachments.list(gone.id, everything), []);
      assert.deepStrictEqual(yield* activity.list(gone.id, null, everything), []);
      for (const { id } of [goes.out, goes.in]) {
        assert.deepStrictEqual(yield* links.get(id), Option.none());
      }
      assert.deepStrictEqual(yield* links.list(gone.id, null, everything), []);
      assert.deepStrictEqual(yield* links.list(stays.id, null, everything), []);
      assert.deepStrictEqual(ids(yield* comments.list(stays.id, everything)), [comment.id]);
      assert.deepStrictEqual(ids(yield* attachments.list(stays.id, everything)), [file.id]);
      assert.lengthOf(yield* activity.list(stays.id, null, everything), 1);
      assert.include(yield* attachments.discarded(500), goes.file.id);
      assert.notInclude(yield* attachments.discarded(500), file.id);
    }),
  );

  it.effect("remove leaves the issue's runs, ended or stopping", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const runs = yield* RunStore.RunStore;
      const issue = yield* Fixtures.issue();
      const ended = yield* Fixtures.run(issue, Fixtures.ended(Fixtures.at(1)));
      const stopping = yield* Fixtures.run(issue, { status: "stopping", stopReason: "deleted" });
      yield* transact(issues.remove(issue.id));
      const left = (run: Run.RunRow) => Option.some({ ...run, issueKey: null });
      assert.deepStrictEqual(yield* runs.get(ended.id), left(ended));
      assert.deepStrictEqual(yield* runs.get(stopping.id), left(stopping));
      assert.deepStrictEqual(yield* runs.ofIssue(issue.id), left(stopping));
    }),
  );

  it.effect("remove of an unknown issue does nothing", () =>
    Effect.gen(function* () {
      const issues = yield* IssueStore.IssueStore;
      const kept = yield* Fixtures.issue();
      yield* transact(issues.remove("iss_unknown"));
      assert.deepStrictEqual(yield* issues.get(kept.id), Option.some(kept));
    }),
  );
};
