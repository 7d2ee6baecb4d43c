import type { Event, InboxItem, Issue } from "@quartermaster/client";
import { watched } from "../parts/watched.ts";
import type { Data } from "./live/data.ts";
import { nameOf } from "./live/names.ts";

export const noticeKinds = ["question", "review", "failed", "mentioned"] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** The choice of the user for this browser. Without a kind there are no notices. */
export interface NoticeChoice {
  readonly kinds: ReadonlyArray<NoticeKind>;
  /** Whether only the user's own issues and questions, and mentions of the user, count. */
  readonly mine: boolean;
}

/** Something new that waits for the user. */
export interface Notice {
  readonly kind: NoticeKind;
  readonly issue: Pick<Issue, "key" | "title">;
  /** The name of the agent or the person that asked, handed in, failed or mentioned the user. */
  readonly by: string;
}

const storageKey = "quartermaster notices";

const read = (): NoticeChoice => {
  try {
    const { kinds, mine } = JSON.parse(localStorage.getItem(storageKey) ?? "{}");
    return { kinds: noticeKinds.filter((kind) => kinds?.includes(kind)), mine: mine === true };
  } catch {
    return { kinds: [], mine: false };
  }
};

/** The kind of an event that an item of the inbox may follow; null for others. */
const kindOf = ({ data, kind }: Event, issue: Issue): NoticeKind | null => {
  switch (kind) {
    case "issue.asked":
      return "question";
    case "issue.statusChanged":
      return (data as { readonly to?: unknown }).to === "PendingReview" &&
        issue.status === "PendingReview"
        ? "review"
        : null;
    case "issue.finished":
    case "issue.leaseExpired":
      return issue.pausedBecause === "failed" || issue.pausedBecause === "tooManyAttempts"
        ? "failed"
        : null;
    default:
      return null;
  }
};

const mayMatter: ReadonlySet<Event["kind"]> = new Set([
  "issue.asked",
  "issue.statusChanged",
  "issue.finished",
  "issue.leaseExpired",
]);

/** Events of texts that may mention the user. */
const mayMention: ReadonlySet<Event["kind"]> = new Set([
  "issue.created",
  "issue.updated",
  "issue.commented",
  "issue.commentEdited",
]);

/** The largest time in milliseconds between a mention and its event, which one change writes. */
const sameChange = 1_000;

/** Whether the change of an event wrote the mention of an item. */
const isOfEvent = (
  { commentId, issueId, since }: InboxItem,
  { createdAt, data, subjectId }: Event,
): boolean =>
  subjectId === issueId &&
  (data as { readonly commentId?: string }).commentId === commentId &&
  Date.parse(since) > Date.parse(createdAt) - sameChange;

/** The number of issues that are read for the events of one frame. */
const most = 20;

/** The choice of notices in this browser, and the notices. */
export const noticeStore = (data: Data) => {
  const { api, session, stream } = data;
  const choice = watched<NoticeChoice>(read());
  const meOf = () => {
    const now = session.current();
    return "principal" in now ? now.principal.id : null;
  };

  const noticesOf = async (
    issueId: string,
    events: ReadonlyArray<Event>,
  ): Promise<ReadonlyArray<Notice>> => {
    const issue = await api.issues.get({ issueId }).catch(() => null);
    if (issue === null) return [];
    const { kinds, mine } = choice.current();
    const me = meOf();
    const isMine = (kind: NoticeKind) =>
      issue.assigneeUserId === me || (kind === "question" && issue.createdBy.id === me);
    const found = new Map<NoticeKind, Event>();
    for (const event of events) {
      const kind = kindOf(event, issue);
      if (kind !== null && kinds.includes(kind) && (!mine || isMine(kind))) found.set(kind, event);
    }
    return Promise.all(
      [...found].map(async ([kind, { actor }]) => ({
        kind,
        issue,
        by: (await nameOf(data, actor.id)).name,
      })),
    );
  };

  /** The mentions of the user that the changes of these events wrote. */
  const mentionsOf = async (events: ReadonlyArray<Event>): Promise<ReadonlyArray<Notice>> => {
    const page = await api.inbox
      .list({ kind: "mentioned", limit: 500 })
      .page()
      .catch(() => null);
    const found = (page?.items ?? []).map(async (item) => {
      const event = events.findLast((one) => isOfEvent(item, one));
      if (event === undefined || item.issueKey === null) return [];
      const issue = { key: item.issueKey, title: item.title };
      return [{ kind: "mentioned" as const, issue, by: (await nameOf(data, event.actor.id)).name }];
    });
    return (await Promise.all(found)).flat();
  };

  /** Reads mentions with one request at a time: events that arrive in the meantime share the next. */
  const makeMentions = (show: (notices: ReadonlyArray<Notice>) => void) => {
    let waiting: ReadonlyArray<Event> = [];
    let isReading = false;
    return async (events: ReadonlyArray<Event>) => {
      waiting = [...waiting, ...events];
      if (isReading) return;
      isReading = true;
      try {
        while (waiting.length > 0) {
          const read = waiting;
          waiting = [];
          show(await mentionsOf(read));
        }
      } finally {
        isReading = false;
      }
    };
  };

  return {
    choice,
    choose: (next: NoticeChoice): void => {
      choice.set(next);
      try {
        localStorage.setItem(storageKey, JSON.stringify(next));
      } catch {
        // If storage is missing or full, the choice lasts until the page closes.
      }
    },
    /** Reads the choice again after another tab changed it. */
    refresh: (): void => choice.set(read()),
    /** Calls back with the notices of events of others. */
    onNotices: (onShow: (notices: ReadonlyArray<Notice>) => void): (() => void) => {
      const show = (notices: ReadonlyArray<Notice>) => {
        if (notices.length > 0) onShow(notices);
      };
      const readMentions = makeMentions(show);
      return stream.onEvents((all) => {
        const { kinds } = choice.current();
        if (kinds.length === 0) return;
        const me = meOf();
        const events = all.filter(({ actor }) => actor.id !== me);
        const texts = events.filter(({ kind }) => mayMention.has(kind));
        if (kinds.includes("mentioned") && texts.length > 0) void readMentions(texts);
        const byIssue = Map.groupBy(
          events.filter(({ kind }) => mayMatter.has(kind)),
          ({ subjectId }) => subjectId,
        );
        const read = [...byIssue].slice(-most);
        void Promise.all(read.map(([id, of]) => noticesOf(id, of))).then((found) =>
          show(found.flat()),
        );
      });
    },
  };
};
