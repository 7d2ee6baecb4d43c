import { useMutation, useQuery } from "@tanstack/react-query";
import { api } from "../live/client.ts";
import { showsFailure } from "../live/query.ts";
import { fresh, keyOf, refreshIssue } from "./issue.ts";

export type { Question } from "@quartermaster/client";

/** The questions of one issue to people. */

/** Its questions: 100, the newest. */
export const useQuestions = (id: string) =>
  useQuery({
    queryKey: [...keyOf(id), "questions"],
    ...fresh,
    queryFn: async ({ signal }) =>
      (await api.questions.list({ issueId: id, order: "desc" }, { signal }).page()).items,
  });

export const useAnswer = (issueId: string) =>
  useMutation({
    meta: showsFailure,
    mutationFn: ({
      answer,
      questionId,
    }: {
      readonly questionId: string;
      readonly answer: string;
    }) => api.questions.answer({ questionId, answer }),
    onSettled: () => refreshIssue(issueId),
  });

export const useWithdraw = (issueId: string) =>
  useMutation({
    mutationFn: (questionId: string) => api.questions.withdraw({ questionId }),
    onSettled: () => refreshIssue(issueId),
  });
