import {
  type Activity,
  type Comment,
  type Issue,
  type IssueLink,
  type IssueUpdate,
  isProblem,
} from "@quartermaster/client";
import {
  type InfiniteData,
  useInfiniteQuery,
  useMutation,
  useQueries,
  useQuery,
} from "@tanstack/react-query";
import { api } from "./client.ts";
import { removeFromLists, showInLists } from "./issues.ts";
import { queryClient, showsFailure, useRefreshOn } from "./query.ts";

export type {
  Activity,
  Attachment,
  Comment,
  Issue,
  IssueLink,
  Question,
  Readiness,
  Run,
} from "@quartermaster/client";

/** What the page of one issue shows. Events of the issue, and of what it is linked to, read it again. */

/** Events change them only while they are shown, so each visit reads them again. */
const fresh = { staleTime: 0 } as const;

/** Whether the issue is deleted, or not visible to the user. */
export const isGone = (error: unknown): boolean => isProblem(error, "not-found");

const kinds = /^issue\./;
const keyOf = (id: string) => ["issue", id] as const;

export const useIssue = (id: string) => {
  const queryKey = keyOf(id);
  useRefreshOn(kinds, queryKey, [id]);
  return useQuery({
    queryKey: [...queryKey, "fields"],
    ...fresh,
    queryFn: ({ signal }) => api.issues.get({ issueId: id }, { signal }),
  });
};

/** The issue with its blockers and dependents, as they are in lists. */
export const useNeighbors = (id: string) => {
  const queryKey = [...keyOf(id), "graph"];
  const query = useQuery({
    queryKey,
    ...fresh,
    queryFn: ({ signal }) => api.issues.graph({ issueId: id, depth: 1 }, { signal }),
  });
  useRefreshOn(kinds, queryKey, query.data?.nodes.map((node) => node.id) ?? []);
  return query;
};

/** Issues by id, for links that are not in the graph. */
export const useIssuesById = (ids: ReadonlyArray<string>): ReadonlyMap<string, Issue> => {
  const results = useQueries({
    queries: ids.map((id) => ({
      queryKey: [...keyOf(id), "fields"],
      ...fresh,
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        api.issues.get({ issueId: id }, { signal }),
    })),
  });
  return new Map(results.flatMap(({ data }) => (data === undefined ? [] : [[data.id, data]])));
};

const readinessKinds = /^(issue\.(?!commented|attached|detached)|agent\.|project\.)/;

export const useReadiness = (id: string) => {
  const queryKey = [...keyOf(id), "readiness"];
  useRefreshOn(readinessKinds, queryKey);
  return useQuery({
    queryKey,
    ...fresh,
    queryFn: ({ signal }) => api.issues.readiness({ issueId: id }, { signal }),
  });
};

/** Its questions: 100, the newest. */
export const useQuestions = (id: string) =>
  useQuery({
    queryKey: [...keyOf(id), "questions"],
    ...fresh,
    queryFn: async ({ signal }) =>
      (await api.questions.list({ issueId: id, order: "desc" }, { signal }).page()).items,
  });

/** Its newest 500 attachments, oldest first. */
export const useAttachments = (id: string) =>
  useQuery({
    queryKey: [...keyOf(id), "attachments"],
    ...fresh,
    queryFn: async ({ signal }) =>
      (
        await api.attachments.list({ issueId: id, order: "desc", limit: 500 }, { signal }).page()
      ).items.toReversed(),
  });

interface StreamPage<Item> {
  readonly items: ReadonlyArray<Item>;
  readonly next: string | null;
}

const newestFirst = { order: "desc", limit: 100 } as const;

/** Its timeline, newest first, page by page. */
export const useActivity = (id: string) =>
  useInfiniteQuery({
    queryKey: [...keyOf(id), "activity"],
    initialPageParam: undefined as string | undefined,
    ...fresh,
    queryFn: ({ pageParam, signal }): Promise<StreamPage<Activity>> =>
      api.issues.activity({ issueId: id, ...newestFirst, cursor: pageParam }, { signal }).page(),
    getNextPageParam: ({ next }) => next ?? undefined,
  });

const commentsKey = (id: string) => [...keyOf(id), "comments"];

/** Its comments, newest first, page by page. */
export const useComments = (id: string) =>
  useInfiniteQuery({
    queryKey: commentsKey(id),
    initialPageParam: undefined as string | undefined,
    ...fresh,
    queryFn: ({ pageParam, signal }): Promise<StreamPage<Comment>> =>
      api.comments.list({ issueId: id, ...newestFirst, cursor: pageParam }, { signal }).page(),
    getNextPageParam: ({ next }) => next ?? undefined,
  });

/** The newest 200 runs of each of these agents. `version` changes when there may be others. */
export const useRuns = (id: string, agentIds: ReadonlyArray<string>, version: string) => {
  const results = useQueries({
    queries: agentIds.map((agentId) => ({
      queryKey: [...keyOf(id), "runs", agentId, version],
      ...fresh,
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        (await api.agents.runs({ agentId, limit: 200, order: "desc" }, { signal }).page()).items,
    })),
  });
  return results.flatMap(({ data }) => data ?? []).filter(({ issueId }) => issueId === id);
};

const put = (issue: Issue) => {
  queryClient.setQueryData<Issue>([...keyOf(issue.id), "fields"], (known) =>
    known !== undefined && known.version > issue.version ? known : issue,
  );
  showInLists(issue);
};

/** Shows a change of the page immediately, and takes it back if the server refuses it. */
const optimistic = async (
  issue: Issue,
  shown: Partial<Issue>,
  save: () => Promise<Issue | void>,
): Promise<void> => {
  put({ ...issue, ...shown });
  try {
    const saved = await save();
    if (saved !== undefined) put(saved);
  } catch (error) {
    put(issue);
    await queryClient.invalidateQueries({ queryKey: keyOf(issue.id) });
    throw error;
  }
};

/** Sets fields of the issue, shown immediately. The shell reports a failure. */
export const useSetFields = () =>
  useMutation({
    mutationFn: ({
      change,
      issue,
    }: {
      readonly issue: Issue;
      readonly change: IssueUpdate & Partial<Issue>;
    }) =>
      optimistic(issue, change, () =>
        api.issues.update({ issueId: issue.id, ...change }, { ifMatch: issue.version }),
      ),
  });

/** Another caller changed the text since the editor got it. */
export class Conflict extends Error {
  override readonly name = "Conflict";
  readonly actual: Issue;
  constructor(actual: Issue) {
    super("Another person or an agent changed it in the meantime. Your text is not lost.");
    this.actual = actual;
  }
}

/**
 * Saves a text that was edited from `base`. A change of another field is not a conflict. Rejects with
 * `Conflict` where the text itself is another one by now.
 */
export const useSaveText = () =>
  useMutation({
    meta: showsFailure,
    mutationFn: async ({
      base,
      field,
      text,
    }: {
      readonly base: Issue;
      readonly field: "title" | "description";
      readonly text: string;
    }) => {
      let { version } = base;
      for (let attempt = 0; ; attempt++) {
        try {
          const saved = await api.issues.update(
            { issueId: base.id, [field]: text === "" && field === "description" ? null : text },
            { ifMatch: version },
          );
          put(saved);
          return saved;
        } catch (error) {
          if (!isProblem(error, "precondition-failed") || attempt === 5) throw error;
          const actual = await api.issues.get({ issueId: base.id });
          put(actual);
          if (actual[field] !== base[field]) throw new Conflict(actual);
          ({ version } = actual);
        }
      }
    },
  });

export type Command =
  | { readonly name: "pause" | "resume" }
  | { readonly name: "close"; readonly force: boolean }
  | { readonly name: "delete" };

/** Pause and resume show their failure by the shell; close and delete are asked for in a dialog, which shows it. */
const useRun = (meta: Readonly<Record<string, unknown>>) =>
  useMutation({
    meta,
    mutationFn: ({ command, issue }: { readonly issue: Issue; readonly command: Command }) => {
      const args = { issueId: issue.id };
      const options = { ifMatch: issue.version };
      switch (command.name) {
        case "pause":
          return optimistic(issue, { paused: true, pausedBecause: "person", status: "Open" }, () =>
            api.issues.pause(args, options),
          );
        case "resume":
          return optimistic(
            issue,
            { paused: false, pausedBecause: null, status: "InProgress" },
            () => api.issues.resume(args, options),
          );
        case "close":
          return optimistic(issue, {}, () =>
            api.issues.close({ ...args, force: command.force }, options),
          );
        case "delete":
          return api.issues.delete({ ...args, confirm: true }, options).then(() => {
            removeFromLists(issue.id);
          });
      }
    },
  });

export const usePausing = () => useRun({});
export const useEnding = () => useRun(showsFailure);

type Pages<Item> = InfiniteData<StreamPage<Item>, string | undefined>;

/** Adds a comment. Its key makes a repetition after a lost response safe. */
export const useAddComment = (issueId: string) =>
  useMutation({
    meta: showsFailure,
    mutationFn: async ({ content, key }: { readonly content: string; readonly key: string }) => {
      const comment = await api.comments.create({ issueId, content }, { idempotencyKey: key });
      queryClient.setQueryData<Pages<Comment>>(commentsKey(issueId), (known) => {
        const [first, ...others] = known?.pages ?? [];
        if (known === undefined || first === undefined) return known;
        if (first.items.some(({ id }) => id === comment.id)) return known;
        return { ...known, pages: [{ ...first, items: [comment, ...first.items] }, ...others] };
      });
      return comment;
    },
  });

/** Sends work back: a comment that says what to change, then the status `Open`. */
export const useRequestChanges = (issue: Issue) => {
  const comment = useAddComment(issue.id);
  return useMutation({
    meta: showsFailure,
    mutationFn: async ({ content, key }: { readonly content: string; readonly key: string }) => {
      if (content !== "") await comment.mutateAsync({ content, key });
      const saved = await api.issues.update(
        { issueId: issue.id, status: "Open" },
        { ifMatch: issue.version },
      );
      put(saved);
    },
  });
};

const refresh = (id: string) => queryClient.invalidateQueries({ queryKey: keyOf(id) });

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
    onSettled: () => refresh(issueId),
  });

export const useWithdraw = (issueId: string) =>
  useMutation({
    mutationFn: (questionId: string) => api.questions.withdraw({ questionId }),
    onSettled: () => refresh(issueId),
  });

export const useLink = (issueId: string) =>
  useMutation({
    mutationFn: (link: {
      readonly targetIssueId: string;
      readonly linkType: IssueLink["linkType"];
    }) => api.links.create({ issueId, ...link }),
    onSettled: () => refresh(issueId),
  });

export const useUnlink = (issueId: string) =>
  useMutation({
    mutationFn: (linkId: string) => api.links.delete({ linkId }),
    onMutate: (linkId) => {
      queryClient.setQueryData<Issue>([...keyOf(issueId), "fields"], (known) =>
        known === undefined
          ? known
          : { ...known, links: known.links.filter(({ id }) => id !== linkId) },
      );
    },
    onSettled: () => refresh(issueId),
  });
