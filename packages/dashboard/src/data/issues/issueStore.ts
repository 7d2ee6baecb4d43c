import type { BriefIssue, Issue, IssueUpdate } from "@quartermaster/client";
import { queryOptions } from "@tanstack/react-query";
import type { Data } from "../live/data.ts";
import { issueRows } from "./issueRows.ts";

/** Everything that was read about one issue has this key. */
export const issueKey = (id: string) => ["issue", id] as const;

/** Events change them only while they are shown, so each visit reads them again. */
export const fresh = { staleTime: 0 } as const;

/** A whole issue, with its description, links and metadata. */
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

/** An issue as a change knows it: a row or the whole issue. */
export type Target = Pick<Issue, "id" | "version">;

/** Fields that a change sets. They are shown until the server responds. */
export type Fields = IssueUpdate & Partial<BriefIssue>;

export type Command =
  | { readonly name: "pause" | "resume" | "delete" }
  /** `force` closes it though open issues depend on it. */
  | { readonly name: "close"; readonly force: boolean };

/** Each issue that was read: its rows in lists, and the whole issue. What changes one of them changes all. */
export const issueStore = (data: Data) => {
  const { api, queries } = data;
  const rows = data.store(issueRows);

  const put = (issue: Issue, known = rows.find(issue.id)) => {
    queries.setQueryData(issueFields(data, issue.id).queryKey, (whole) =>
      whole !== undefined && whole.version > issue.version ? whole : issue,
    );
    if (known !== undefined) rows.put([briefOf(issue, known)]);
  };

  /** Shows a change immediately, and takes it back if the server refuses it. */
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
    /** Puts an issue as it is now wherever it is shown. */
    put: (issue: Issue): void => put(issue),
    /** Puts an issue that was just created into the lists. */
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
