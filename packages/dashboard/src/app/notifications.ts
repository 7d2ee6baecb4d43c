import type { Notice, NoticeKind } from "../data/notices.ts";

/** Browser notifications. One tab of the browser shows them, and none while the user looks at the page. */

const words: Readonly<Record<NoticeKind, string>> = {
  question: "asks a question",
  review: "hands in for review",
  failed: "failed",
  mentioned: "mentions you",
};

/** The largest number of notifications at the same time. More become one. */
const most = 3;

/** The time in milliseconds in which another tab says that the user looks at it. */
const patience = 150;

const isLookedAt = () => !document.hidden && document.hasFocus();

/** Whether the user looks at a tab of the page. Each tab answers the question of the others. */
const makeFocus = (base: string) => {
  const channel = new BroadcastChannel(`quartermaster focus ${base}`);
  let seen = false;
  channel.addEventListener("message", ({ data }: MessageEvent<"ask" | "seen">) => {
    if (data === "seen") seen = true;
    else if (isLookedAt()) channel.postMessage("seen");
  });
  return {
    close: () => channel.close(),
    isAnyLookedAt: async (): Promise<boolean> => {
      if (isLookedAt()) return true;
      seen = false;
      channel.postMessage("ask");
      await new Promise((resolve) => setTimeout(resolve, patience));
      return seen;
    },
  };
};

const notify = (title: string, body: string, tag: string, open: () => void) => {
  try {
    const shown = new Notification(title, { body, tag });
    shown.addEventListener("click", () => {
      window.focus();
      shown.close();
      open();
    });
  } catch {
    // Some phones have notifications only in apps.
  }
};

/** Shows notices in this tab as soon as no other tab does. Returns a function that ends it. */
export const showNotices = (
  base: string,
  onNotices: (show: (notices: ReadonlyArray<Notice>) => void) => () => void,
  open: (path: string) => void,
): (() => void) => {
  const ended = new AbortController();
  const focus = makeFocus(base);
  const show = async (notices: ReadonlyArray<Notice>) => {
    if (Notification.permission !== "granted" || (await focus.isAnyLookedAt())) return;
    if (notices.length > most) {
      const text = "Open the inbox to see them.";
      notify(`${notices.length} new items wait for you`, text, "inbox", () => open("/inbox"));
      return;
    }
    for (const { by, issue, kind } of notices) {
      notify(`${by} ${words[kind]}`, `${issue.key} ${issue.title}`, `${kind} ${issue.key}`, () =>
        open(`/issues/${issue.key}`),
      );
    }
  };
  const speak = () =>
    new Promise<void>((resolve) => {
      const stop = onNotices((notices) => void show(notices));
      ended.signal.addEventListener("abort", () => {
        stop();
        resolve();
      });
    });
  // Without locks the connection is not secure, and the browser has no notifications either.
  if ("locks" in navigator && "Notification" in window) {
    navigator.locks
      .request(`quartermaster notices ${base}`, { signal: ended.signal }, speak)
      .catch(() => {});
  }
  return () => {
    ended.abort();
    focus.close();
  };
};
