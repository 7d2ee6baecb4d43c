import type { InboxItem } from "@quartermaster/client";
import { useQuery } from "@tanstack/react-query";
import { randomKey } from "../../parts/randomKey.ts";
import { type Data, useData, useStore } from "../live/data.ts";

/** A question does not change while it is open. */
export const useQuestion = (questionId: string, isInView: boolean) => {
  const { api } = useData();
  return useQuery({
    queryKey: ["question", questionId],
    enabled: isInView,
    queryFn: ({ signal }) => api.questions.get({ questionId }, { signal }),
  });
};

/** The last comment of an agent: what it says about the work that it handed in. */
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

/** Decisions about issues from the inbox. Each function sends one decision. */
const decisions = ({ api }: Data) => {
  /** Comments whose decision was refused: sent again, they stay one comment. */
  const unfinished = new Map<string, string>();

  /** Comments, and then decides. */
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

  /** Decides on what was handed in, and only on that: a later hand-in is another decision. */
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
    /** For an answer that is not among the options: the agent gets the comment. */
    answerInWords: (issueId: string, questionId: string, text: string) =>
      withComment(issueId, text, () => api.questions.withdraw({ questionId })),
    approve: (item: InboxItem) => review(item, "Resolved", ""),
    requestChanges: (item: InboxItem, text: string) => review(item, "Open", text),
    /** The agent starts the issue before others. */
    retry: (issueId: string, text: string) =>
      withComment(issueId, text, () => api.issues.resume({ issueId })),
    /** The issue waits for its turn. */
    reopen: (issueId: string, text: string) =>
      withComment(issueId, text, () => api.issues.update({ issueId, status: "Open" })),
    assign: (issueId: string, agentId: string) =>
      api.issues.update({ issueId, assignedAgentId: agentId }),
    /** Ends a deferral. */
    startNow: (issueId: string) => api.issues.update({ issueId, notBefore: null }),
  };
};

export const useDecisions = () => useStore(decisions);
