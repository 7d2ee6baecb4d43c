import type { Bulk, InboxItem } from "@quartermaster/client";
import { issueStore } from "../issues/issueStore.ts";
import { saves } from "../issues/saves.ts";
import { type Data, useStore } from "../live/data.ts";
import { undoStore } from "../live/undo.ts";
import { answerStore, type Refusals } from "./answers.ts";
import { idOf, keyOf } from "./identity.ts";
import { shownVersions } from "./versions.ts";

/** The number of issues that one request changes. */
const most = 200;

export const isReview = ({ kind }: InboxItem): boolean => kind === "review";

export const isMention = ({ kind }: InboxItem): boolean => kind === "mentioned";

export const isFailure = ({ kind }: Pick<InboxItem, "kind">): boolean =>
  kind === "failed" || kind === "tooManyAttempts";

/** The first item of each issue. Agents and servers have none. */
const byIssue = (items: ReadonlyArray<InboxItem>): ReadonlyMap<string, InboxItem> => {
  const found = new Map<string, InboxItem>();
  for (const item of items) {
    if (item.issueId !== null && !found.has(item.issueId)) found.set(item.issueId, item);
  }
  return found;
};

/** Decisions about several items, which leave the list while they are sent. */
const bulkDecisions = (data: Data) => {
  const { api, store } = data;
  const undo = store(undoStore);
  const issues = store(issueStore);
  const save = store(saves);
  const { settleAll } = store(answerStore);
  const { issueOf, versionOf } = store(shownVersions);

  /**
   * Makes one change to the issues of the items, each only in the version that its item shows. With a verb it waits
   * for 5 s, in which the user can take it back.
   */
  const send = async (
    items: ReadonlyArray<InboxItem>,
    change: Bulk["change"],
    verb: string | null,
  ): Promise<Refusals> => {
    const refusals = new Map<string, unknown>();
    const read = await Promise.all(
      [...byIssue(items)].map(async ([issueId, item]) => {
        try {
          return { issueId, version: await versionOf(item) };
        } catch (error) {
          refusals.set(issueId, error);
          return [];
        }
      }),
    );
    const targets = read.flat();
    const post = async () => {
      // The user's own changes since then do not conflict, such as an assignment just before.
      const sent = targets.flatMap(({ issueId }) => save.sending(issueId) ?? []);
      if (sent.length > 0) await Promise.allSettled(sent);
      const now = targets.map(({ issueId, version }) => ({
        issueId,
        version: save.latest(issueId, version),
      }));
      const parts = [];
      for (let at = 0; at < now.length; at += most) {
        parts.push(api.issues.bulk({ items: now.slice(at, at + most), change }));
      }
      return (await Promise.all(parts)).flat();
    };
    const ids = targets.map(({ issueId }) => issueId);
    const what = ids.length === 1 ? items[0]?.issueKey : `${ids.length} issues`;
    const isHeld = verb !== null && ids.length > 0;
    const outcomes = await (isHeld ? undo.hold(`${verb} ${what}…`, ids)(post) : post());
    for (const { issueId, problem } of outcomes) {
      if (problem !== undefined) refusals.set(issueId, new Error(problem.detail));
    }
    return new Map(
      items.flatMap((item) => {
        const error = refusals.get(item.issueId ?? "");
        return error === undefined ? [] : [[keyOf(item), error] as const];
      }),
    );
  };
  const change = (
    items: ReadonlyArray<InboxItem>,
    what: Bulk["change"],
    verb: string | null = null,
  ) => {
    const affected = items.filter(({ issueId }) => issueId !== null);
    return affected.length === 0
      ? Promise.resolve()
      : settleAll(affected, () => send(affected, what, verb));
  };

  const dismissMentions = (items: ReadonlyArray<InboxItem>) =>
    settleAll(items, async () => {
      const refusals = new Map<string, unknown>();
      const dismiss = async (item: InboxItem) => {
        try {
          await api.inbox.dismiss({ issueId: item.issueId ?? "" });
        } catch (error) {
          refusals.set(keyOf(item), error);
        }
      };
      await Promise.all(items.map(dismiss));
      return refusals;
    });

  return {
    /** Approves the reviews and resumes the failed issues. Other items stay. */
    approveOrRetry: (items: ReadonlyArray<InboxItem>) =>
      Promise.all([
        change(items.filter(isReview), { review: "approve" }, "Approving"),
        change(items.filter(isFailure), { action: "resume" }),
      ]),
    /** Resolves the issues. A mention needs only to be read: its item is dismissed, and its issue stays as it is. */
    resolve: (items: ReadonlyArray<InboxItem>) =>
      Promise.all([
        change(
          items.filter((item) => !isMention(item)),
          { status: "Resolved" },
          "Resolving",
        ),
        dismissMentions(items.filter(isMention)),
      ]),
    /** Assigns the issues to an agent, or to none. The items stay. Rejects with the first refusal. */
    assign: async (items: ReadonlyArray<InboxItem>, assignedAgentId: string | null) =>
      issues.changeAll(
        await Promise.all(
          [...byIssue(items).keys()].map(async (issueId) => ({
            issue: await issueOf(issueId),
            fields: { assignedAgentId },
          })),
        ),
      ),
    snooze: (items: ReadonlyArray<InboxItem>, until: Date) =>
      settleAll(items, async () => {
        await api.inbox.snooze({
          items: items.map((item) => ({ kind: item.kind, id: idOf(item) })),
          until: until.toISOString(),
        });
        return new Map();
      }),
  };
};

export const useBulkDecisions = () => useStore(bulkDecisions);
