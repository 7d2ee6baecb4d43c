import type { InboxItem } from "@quartermaster/client";
import { useQuery } from "@tanstack/react-query";
import { randomKey } from "../../parts/randomKey.ts";
import { api } from "../live/client.ts";
import { useRefreshOn } from "../live/query.ts";

/** What people decide about issues from the inbox. Each function sends one decision. */

/** A question does not change while it is open. */
export const useQuestion = (questionId: string, isInView: boolean) =>
  useQuery({
    queryKey: ["question", questionId],
    enabled: isInView,
    queryFn: ({ signal }) => api.questions.get({ questionId }, { signal }),
  });

const commented = /^issue\.commented$/;

/** The last comment of an agent: what it says about the work that it handed in. */
export const useLastWords = (issueId: string, isInView: boolean) => {
  const queryKey = ["last words", issueId];
  useRefreshOn(commented, queryKey);
  return useQuery({
    queryKey,
    enabled: isInView,
    queryFn: async ({ signal }) => {
      const { items } = await api.comments
        .list({ issueId, order: "desc", limit: 10 }, { signal })
        .page();
      return items.find(({ authorType }) => authorType === "Agent") ?? null;
    },
  });
};

export type Reasons = NonNullable<ReturnType<typeof useReasons>["data"]>;

const moves = /^(issue|agent|project)\./;

/** Why the root of a blocked chain is not picked up. */
export const useReasons = (issueId: string, isInView: boolean) => {
  const queryKey = ["reasons", issueId];
  useRefreshOn(moves, queryKey);
  return useQuery({
    queryKey,
    enabled: isInView,
    queryFn: async ({ signal }) => (await api.issues.readiness({ issueId }, { signal })).reasons,
  });
};

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

export const answerQuestion = (questionId: string, answer: string) =>
  api.questions.answer({ questionId, answer });

/** For an answer that is not among the options: the agent gets the comment. */
export const answerInWords = (issueId: string, questionId: string, text: string) =>
  withComment(issueId, text, () => api.questions.withdraw({ questionId }));

/** Decides on what was handed in, and only on that: a later hand-in is another decision. */
const review = async (
  { issueId, since }: InboxItem,
  status: "Resolved" | "Open",
  text: string,
): Promise<void> => {
  if (issueId === null) return;
  const { updatedAt, version } = await api.issues.get({ issueId });
  if (updatedAt !== since) {
    throw new Error("The issue changed after this page showed it. Look at it again.");
  }
  await withComment(issueId, text, () =>
    api.issues.update({ issueId, status }, { ifMatch: version }),
  );
};

export const approve = (item: InboxItem) => review(item, "Resolved", "");

export const requestChanges = (item: InboxItem, text: string) => review(item, "Open", text);

/** The agent starts the issue before others. */
export const retry = (issueId: string, text: string) =>
  withComment(issueId, text, () => api.issues.resume({ issueId }));

/** The issue waits for its turn. */
export const reopen = (issueId: string, text: string) =>
  withComment(issueId, text, () => api.issues.update({ issueId, status: "Open" }));

export const assign = (issueId: string, agentId: string) =>
  api.issues.update({ issueId, assignedAgentId: agentId });

/** Ends a deferral. */
export const startNow = (issueId: string) => api.issues.update({ issueId, notBefore: null });
