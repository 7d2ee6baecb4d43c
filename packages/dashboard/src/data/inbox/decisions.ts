import type { InboxItem } from "@quartermaster/client";
import { useQuery } from "@tanstack/react-query";
import { randomKey } from "../../parts/randomKey.ts";
import { type Data, useData, useStore } from "../live/data.ts";

/** Reads a question once: an open question never changes. */
export const useQuestion = (questionId: string, isInView: boolean) => {
  const { api } = useData();
  return useQuery({
    queryKey: ["question", questionId],
    enabled: isInView,
    queryFn: ({ signal }) => api.questions.get({ questionId }, { signal }),
  });
};

/** The agent's last comment, which usually describes the work that it handed in. */
export const useLastWords = (issueId: string, isInView: boolean) => {
  const { api } = useData();
  return useQuery({
    queryKey: ["last words", issueId],
    enabled: isInView,
    queryFn: async ({ signal }) => {
      const { items } = await api.comments
        .list({ issueId, order: "desc", limit: 10 }, { signal })
        .page();
      return items.find(({ authorType }) => authorType === "Agent") ?? null;
    },
  });
};

/** The decisions about issues that the inbox can send, one per function. */
const decisions = ({ api }: Data) => {
  /**
   * Idempotency keys of comments whose decision failed. A retry sends the same key, so it adds no second
   * comment.
   */
  const unfinished = new Map<string, string>();

  /** Adds the comment, then runs the decision. */
  const withComment = async (
    issueId: string,
    text: string,
    decide: () => Promise<unknown>,
  ): Promise<void> => {
    const content = text.trim();
    const id = `${issueId} ${content}`;
    if (content !== "") {
      const idempotencyKey = unfinished.get(id) ?? randomKey();
      unfinished.set(id, idempotencyKey);
      await api.comments.create({ issueId, content }, { idempotencyKey });
    }
    await decide();
    unfinished.delete(id);
  };

  /** Decides on the hand-in that the item shows. Throws if the issue has changed since. */
  const review = async (
    { issueId, since }: InboxItem,
    status: "Resolved" | "Open",
    text: string,
  ): Promise<void> => {
    if (issueId === null) return;
    const { updatedAt, version } = await api.issues.get({ issueId });
    if (updatedAt !== since) {
      throw new Error("The issue changed in the meantime. Check it and try again.");
    }
    await withComment(issueId, text, () =>
      api.issues.update({ issueId, status }, { ifMatch: version }),
    );
  };

  return {
    answerQuestion: (questionId: string, answer: string) =>
      api.questions.answer({ questionId, answer }),
    /** Takes an answer outside the options: adds a comment and withdraws the question. */
    answerInWords: (issueId: string, questionId: string, text: string) =>
      withComment(issueId, text, () => api.questions.withdraw({ questionId })),
    approve: (item: InboxItem) => review(item, "Resolved", ""),
    requestChanges: (item: InboxItem, text: string) => review(item, "Open", text),
    /** Resumes the issue: the agent starts it before open issues. */
    retry: (issueId: string, text: string) =>
      withComment(issueId, text, () => api.issues.resume({ issueId })),
    /** Reopens the issue, which then waits in its normal order. */
    reopen: (issueId: string, text: string) =>
      withComment(issueId, text, () => api.issues.update({ issueId, status: "Open" })),
    assign: (issueId: string, agentId: string) =>
      api.issues.update({ issueId, assignedAgentId: agentId }),
    /** Removes the deferral. */
    startNow: (issueId: string) => api.issues.update({ issueId, notBefore: null }),
  };
};

export const useDecisions = () => useStore(decisions);
