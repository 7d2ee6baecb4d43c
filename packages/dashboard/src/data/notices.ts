import type { Event, Issue } from "@quartermaster/client";
import { watched } from "../parts/watched.ts";
import type { Data } from "./live/data.ts";
import { nameOf } from "./live/names.ts";

export const noticeKinds = ["question", "review", "failed"] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** The choice of the user for this browser. Without a kind there are no notices. */
export interface NoticeChoice {
  readonly kinds: ReadonlyArray<NoticeKind>;
  /** Whether only the user's own issues and questions count. */
  readonly mine: boolean;
}

/** Something new that waits for the user. */
export interface Notice {
  readonly kind: NoticeKind;
  readonly issue: Pick<Issue, "key" | "title">;
  /** The name of the agent or the person that asked, handed in or failed. */
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
    onNotices: (show: (notices: ReadonlyArray<Notice>) => void): (() => void) =>
      stream.onEvents((events) => {
        if (choice.current().kinds.length === 0) return;
        const me = meOf();
        const byIssue = Map.groupBy(
          events.filter(({ actor, kind }) => mayMatter.has(kind) && actor.id !== me),
          ({ subjectId }) => subjectId,
        );
        const read = [...byIssue].slice(-most);
        void Promise.all(read.map(([id, of]) => noticesOf(id, of))).then((all) => {
          const notices = all.flat();
          if (notices.length > 0) show(notices);
        });
      }),
  };
};
