import type { BriefIssue, Issue, IssueUpdate } from "@quartermaster/client";
import { queryOptions } from "@tanstack/react-query";
import type { Data } from "../live/data.ts";
import { issueRows } from "./issueRows.ts";

/** The prefix of every query key that belongs to one issue. */
export const issueKey = (id: string) => ["issue", id] as const;

/** Options of queries that events refresh only while they are shown, so each visit refetches. */
export const fresh = { staleTime: 0 } as const;

/** The query of a whole issue, with its description, links and metadata. */
export const issueFields = ({ api }: Data, issueId: string) =>
  queryOptions({
    queryKey: [...issueKey(issueId), "fields"],
    ...fresh,
    queryFn: ({ signal }) => api.issues.get({ issueId }, { signal }),
  });

const briefOf = (issue: Issue, known: BriefIssue | undefined): BriefIssue => {
  const { description: _, links: __, metadata: ___, ...fields } = issue;
  const counts = { blockedByCount: 0, blocksCount: 0, openQuestions: 0, liveRun: null };
  return { ...counts, ...known, ...fields };
};

/** The part of an issue that a change needs: its id, and its version for `If-Match`. */
export type Target = Pick<Issue, "id" | "version">;

/** The fields that a change sets, shown until the server responds. */
export type Fields = IssueUpdate & Partial<BriefIssue>;

export type Command =
  | { readonly name: "pause" | "resume" | "delete" }
  /** `force` closes the issue although open issues depend on it. */
  | { readonly name: "close"; readonly force: boolean };

/** The cached issues, both as rows of lists and as whole issues. Every change updates both. */
export const issueStore = (data: Data) => {
  const { api, queries } = data;
  const rows = data.store(issueRows);

  const put = (issue: Issue, known = rows.find(issue.id)) => {
    queries.setQueryData(issueFields(data, issue.id).queryKey, (whole) =>
      whole !== undefined && whole.version > issue.version ? whole : issue,
    );
    if (known !== undefined) rows.put([briefOf(issue, known)]);
  };

  /** Applies a change to the cache, saves it, and rolls back if the server refuses. */
  const show = async (
    id: string,
    shown: Partial<BriefIssue>,
    save: () => Promise<Issue | void>,
  ): Promise<void> => {
    const { queryKey } = issueFields(data, id);
    const row = rows.find(id);
    const whole = queries.getQueryData(queryKey);
    if (row !== undefined) rows.put([{ ...row, ...shown }]);
    if (whole !== undefined) queries.setQueryData(queryKey, { ...whole, ...shown });
    try {
      const saved = await save();
      if (saved !== undefined) put(saved, row);
    } catch (error) {
      if (row !== undefined) rows.put([row]);
      queries.setQueryData(queryKey, whole);
      const actual = await api.issues.get({ issueId: id }).catch(() => null);
      if (actual !== null) put(actual, row);
      await queries.invalidateQueries({ queryKey: issueKey(id) });
      throw error;
    }
  };

  const remove = async ({ id, version }: Target): Promise<void> => {
    const row = rows.find(id);
    rows.remove(new Set([id]));
    try {
      await api.issues.delete({ issueId: id, confirm: true }, { ifMatch: version });
    } catch (error) {
      if (row !== undefined) rows.put([row]);
      throw error;
    }
  };

  return {
    /** Replaces the cached issue unless the cache has a newer version. */
    put: (issue: Issue): void => put(issue),
    /** Adds a newly created issue to the lists that it matches. */
    putNew: (issue: Issue): void => rows.put([briefOf(issue, undefined)]),
    change: ({ id, version }: Target, fields: Fields): Promise<void> =>
      show(id, fields, () => api.issues.update({ issueId: id, ...fields }, { ifMatch: version })),
    run: (issue: Target, command: Command): Promise<void> => {
      const { id, version } = issue;
      const args = { issueId: id };
      const options = { ifMatch: version };
      switch (command.name) {
        case "pause":
          return show(id, { paused: true, pausedBecause: "person", status: "Open" }, () =>
            api.issues.pause(args, options),
          );
        case "resume":
          return show(id, { paused: false, pausedBecause: null, status: "InProgress" }, () =>
            api.issues.resume(args, options),
          );
        case "close":
          return show(id, { status: "Closed" }, () =>
            api.issues.close({ ...args, force: command.force }, options),
          );
        case "delete":
          return remove(issue);
      }
    },
  };
};
