import type { InboxItem } from "@quartermaster/client";
import { useQuery } from "@tanstack/react-query";
import { randomKey } from "../../parts/randomKey.ts";
import { issueStore } from "../issues/issueStore.ts";
import { type Data, useData, useStore } from "../live/data.ts";
import { shownVersions } from "./versions.ts";

/** Reads a question once: an open question never changes. */
export const useQuestion = (questionId: string) => {
  const { api } = useData();
  return useQuery({
    queryKey: ["question", questionId],
    queryFn: ({ signal }) => api.questions.get({ questionId }, { signal }),
  });
};

/** The agent's last comment, which usually describes the work that it handed in. */
export const useLastWords = (issueId: string) => {
  const { api } = useData();
  return useQuery({
    queryKey: ["last words", issueId],
    queryFn: async ({ signal }) => {
      const { items } = await api.comments
        .list({ issueId, order: "desc", limit: 10 }, { signal })
        .page();
      return (
        items.find(({ authorType, deletedAt }) => authorType === "Agent" && deletedAt === null) ??
        null
      );
    },
  });
};

/** A comment that mentions the reader; null if 100 newer ones follow it. */
export const useMentioningComment = (issueId: string, commentId: string) => {
  const { api } = useData();
  return useQuery({
    queryKey: ["last words", issueId, commentId],
    queryFn: async ({ signal }) => {
      const { items } = await api.comments
        .list({ issueId, order: "desc", limit: 100 }, { signal })
        .page();
      return items.find(({ id }) => id === commentId) ?? null;
    },
  });
};

/** The decisions about issues that the inbox can send, one per function. */
const decisions = ({ api, store }: Data) => {
  const { issueOf, versionOf } = store(shownVersions);
  const issues = store(issueStore);

  /**
   * Idempotency keys of comments whose decision failed. A retry sends the same key, so it adds no second
   * comment.
   */
  const unfinished = new Map<string, string>();

  /** Adds a comment; nothing without a text. */
  const comment = async (issueId: string, text: string): Promise<void> => {
    const content = text.trim();
    if (content === "") return;
    const id = `${issueId} ${content}`;
    const idempotencyKey = unfinished.get(id) ?? randomKey();
    unfinished.set(id, idempotencyKey);
    await api.comments.create({ issueId, content }, { idempotencyKey });
  };
  const finish = (issueId: string, text: string) => unfinished.delete(`${issueId} ${text.trim()}`);

  /** Adds the comment, then runs the decision. */
  const withComment = async (
    issueId: string,
    text: string,
    decide: () => Promise<unknown>,
  ): Promise<void> => {
    await comment(issueId, text);
    await decide();
    finish(issueId, text);
  };

  /** The issue of a hand-in, in the version that the item shows. Throws if the issue has changed since. */
  const reviewed = async (item: InboxItem) => ({
    id: item.issueId ?? "",
    version: await versionOf(item),
  });

  return {
    answerQuestion: (questionId: string, answer: string) =>
      api.questions.answer({ questionId, answer }),
    /** Takes an answer outside the options: adds a comment and withdraws the question. */
    answerInWords: (issueId: string, questionId: string, text: string) =>
      withComment(issueId, text, () => api.questions.withdraw({ questionId })),
    /** The comment ends the mention. */
    reply: (issueId: string, text: string) => withComment(issueId, text, () => Promise.resolve()),
    dismissMention: (issueId: string) => api.inbox.dismiss({ issueId }),
    approve: async (item: InboxItem) => issues.change(await reviewed(item), { status: "Resolved" }),
    requestChanges: async (item: InboxItem, text: string) => {
      const issue = await reviewed(item);
      await issues.requestChanges(issue, () => comment(issue.id, text));
      finish(issue.id, text);
    },
    /** Resumes the issue: the agent starts it before open issues. */
    retry: (issueId: string, text: string) =>
      withComment(issueId, text, () => api.issues.resume({ issueId })),
    /** Reopens the issue, which then waits in its normal order. */
    reopen: (issueId: string, text: string) =>
      withComment(issueId, text, () => api.issues.update({ issueId, status: "Open" })),
    assign: async (issueId: string, agentId: string) =>
      issues.change(await issueOf(issueId), { assignedAgentId: agentId }),
    /** Removes the deferral. */
    startNow: (issueId: string) => api.issues.update({ issueId, notBefore: null }),
  };
};

export const useDecisions = () => useStore(decisions);
