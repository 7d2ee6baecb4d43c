import { type Issue, isProblem } from "@quartermaster/client";
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { type Data, useData, useStore } from "../live/data.ts";
import { showsFailure } from "../live/query.ts";
import { useAddComment } from "./comments.ts";
import { issueRows } from "./issueRows.ts";
import { fresh, issueFields, issueKey, issueStore } from "./issueStore.ts";
import { useProjects } from "./projects.ts";
import { saves } from "./saves.ts";

export type { Issue, Readiness } from "@quartermaster/client";

/** Whether the error means that the issue is deleted, or that the user may not see it. */
export const isGone = (error: unknown): boolean => isProblem(error, "not-found");

/** The id of the issue with this id or key; undefined until it is known. */
export const useIssueId = (idOrKey: string, enabled = true) => {
  const data = useData();
  const { idOf } = useStore(issueRows);
  const known = idOrKey.startsWith("iss_") ? idOrKey : idOf(idOrKey.toUpperCase());
  return useQuery({
    queryKey: ["id", idOrKey],
    enabled,
    staleTime: Infinity,
    initialData: known,
    queryFn: async ({ signal }) => {
      const issue = await data.api.issues.get({ issueId: idOrKey }, { signal });
      data.queries.setQueryData(issueFields(data, issue.id).queryKey, issue);
      return issue.id;
    },
  });
};

/** The issue with this key; undefined until it is known, and if no project has its prefix. */
export const useIssueOfKey = (key: string) => {
  const { data: projects } = useProjects();
  const prefix = key.slice(0, key.indexOf("-"));
  const { data: id } = useIssueId(
    key,
    projects?.some((project) => project.prefix === prefix) === true,
  );
  return useQuery({ ...issueFields(useData(), id ?? ""), enabled: id !== undefined });
};

export const useIssue = (id: string) => useQuery(issueFields(useData(), id));

const readiness = ({ api }: Data, issueId: string) =>
  queryOptions({
    queryKey: [...issueKey(issueId), "readiness"],
    ...fresh,
    queryFn: ({ signal }) => api.issues.readiness({ issueId }, { signal }),
  });

export const useReadiness = (id: string) => useQuery(readiness(useData(), id));

/** The reasons why agents do not pick up the issue. */
export const useReasons = (id: string, enabled: boolean) =>
  useQuery({ ...readiness(useData(), id), enabled, select: ({ reasons }) => reasons });

/**
 * Adds a comment, then sets the status `Open`. The end of a review waits for 5 s, in which the user can take
 * it back; the shell reports its failure.
 */
export const useRequestChanges = (issue: Issue) => {
  const issues = useStore(issueStore);
  const save = useStore(saves);
  const { mutateAsync: comment } = useAddComment(issue.id);
  const isReview = issue.status === "PendingReview";
  return useMutation({
    meta: isReview ? {} : showsFailure,
    mutationFn: async ({
      content,
      key,
      onSend,
    }: {
      readonly content: string;
      readonly key: string;
      /** Called when the request is sent, after which the user can no longer take it back. */
      readonly onSend?: () => void;
    }) => {
      const add = async () => {
        onSend?.();
        if (content !== "") await comment({ content, key });
      };
      if (isReview) return issues.requestChanges(issue, add);
      await add();
      issues.put(await save.fields(issue, { status: "Open" }));
    },
  });
};

/** Refetches all data of an issue. */
export const useRefreshIssue = (id: string) => {
  const { queries } = useData();
  return () => queries.invalidateQueries({ queryKey: issueKey(id) });
};
