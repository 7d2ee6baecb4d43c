import { useMutation, useQuery } from "@tanstack/react-query";
import { useData } from "../live/data.ts";
import { showsFailure } from "../live/query.ts";
import { useRefreshIssue } from "./issue.ts";
import { fresh, issueKey } from "./issueStore.ts";

export type { Question } from "@quartermaster/client";

/** The questions that agents ask people about one issue. */

/** The issue's 100 newest questions. */
export const useQuestions = (issueId: string) => {
  const { api } = useData();
  return useQuery({
    queryKey: [...issueKey(issueId), "questions"],
    ...fresh,
    queryFn: async ({ signal }) =>
      (await api.questions.list({ issueId, order: "desc" }, { signal }).page()).items,
  });
};

export const useAnswer = (issueId: string) => {
  const { api } = useData();
  return useMutation({
    meta: showsFailure,
    mutationFn: ({
      answer,
      questionId,
    }: {
      readonly questionId: string;
      readonly answer: string;
    }) => api.questions.answer({ questionId, answer }),
    onSettled: useRefreshIssue(issueId),
  });
};

export const useWithdraw = (issueId: string) => {
  const { api } = useData();
  return useMutation({
    mutationFn: (questionId: string) => api.questions.withdraw({ questionId }),
    onSettled: useRefreshIssue(issueId),
  });
};
