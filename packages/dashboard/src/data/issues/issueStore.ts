import type { BriefIssue, Issue } from "@quartermaster/client";
import { queryOptions } from "@tanstack/react-query";
import type { Data } from "../live/data.ts";
import { undoStore } from "../live/undo.ts";
import { issueChanges, type Target } from "./issueChanges.ts";
import { issueRows } from "./issueRows.ts";
import { pendingChanges } from "./pendingChanges.ts";
import { Conflict, saves, type Seen } from "./saves.ts";

/** The prefix of every query key that belongs to one issue. */
export const issueKey = (id: string) => ["issue", id] as const;

/** Options of queries that events refresh only while they are shown, so each visit refetches. */
export const fresh = { staleTime: 0 } as const;

/** The query of a whole issue, with its description, links and metadata. */
export const issueFields = ({ api, queries, store }: Data, issueId: string) => {
  const queryKey = [...issueKey(issueId), "fields"];
  return queryOptions({
    queryKey,
    ...fresh,
    queryFn: async ({ signal }) => {
      const issue = store(pendingChanges).over(await api.issues.get({ issueId }, { signal }));
      // A change that was saved in the meantime is newer than the response.
      const known = queries.getQueryData<Issue>(queryKey);
      return known !== undefined && known.version > issue.version ? known : issue;
    },
  });
};

const briefOf = (issue: Issue, known: BriefIssue | undefined): BriefIssue => {
  const { description: _, links: __, metadata: ___, ...fields } = issue;
  const counts = { blockedByCount: 0, blocksCount: 0, openQuestions: 0, liveRun: null };
  return { ...counts, ...known, ...fields };
};

export type { Change, Fields, Target } from "./issueChanges.ts";

export type Command =
  | { readonly name: "pause" | "resume" | "delete" }
  /** `force` closes the issue although open issues depend on it. */
  | { readonly name: "close"; readonly force: boolean };

/** The cached issues, both as rows of lists and as whole issues. Every change updates both. */
export const issueStore = (data: Data) => {
  const { api, queries } = data;
  const rows = data.store(issueRows);
  const pending = data.store(pendingChanges);
  const save = data.store(saves);
  const undo = data.store(undoStore);

  /** The issue as the user saw it. */
  const seenOf = (issue: Target): Seen => ({
    ...rows.find(issue.id),
    ...queries.getQueryData(issueFields(data, issue.id).queryKey),
    ...issue,
  });

  const put = (issue: Issue, known = rows.find(issue.id)) => {
    queries.setQueryData(issueFields(data, issue.id).queryKey, (whole) =>
      whole !== undefined && whole.version > issue.version ? whole : pending.over(issue),
    );
    if (known !== undefined) rows.put([briefOf(issue, known)]);
  };

  const read = (issueId: string) => api.issues.get({ issueId }).catch(() => null);

  /** Applies a change to the cache, saves it, and rolls back if the server refuses. */
  const show = async (
    target: Target,
    shown: Partial<BriefIssue>,
    send: (seen: Seen) => Promise<Issue | void>,
  ): Promise<Issue | null> => {
    const { id } = target;
    const { queryKey } = issueFields(data, id);
    const row = rows.find(id);
    const whole = queries.getQueryData(queryKey);
    const saved = send(seenOf(target));
    const unshow = pending.add(id, shown);
    if (row !== undefined) rows.put([row]);
    if (whole !== undefined) queries.setQueryData(queryKey, { ...whole, ...shown });
    try {
      const issue = (await saved) ?? (await read(id));
      unshow();
      if (issue !== null) put(issue, row);
      return issue;
    } catch (error) {
      unshow();
      if (row !== undefined) rows.put([row]);
      queries.setQueryData(queryKey, whole && pending.over(whole));
      const actual = await read(id);
      if (actual !== null) put(actual, row);
      await queries.invalidateQueries({ queryKey: issueKey(id) });
      throw error instanceof Conflict ? error.cause : error;
    }
  };

  const remove = async (issue: Target): Promise<void> => {
    const { id } = issue;
    const row = rows.find(id);
    rows.remove(new Set([id]));
    try {
      await save.decide(issue, (ifMatch) =>
        api.issues.delete({ issueId: id, confirm: true }, { ifMatch }),
      );
    } catch (error) {
      if (row !== undefined) rows.put([row]);
      throw error;
    }
  };

  const { hold, ...changes } = issueChanges(data, { seenOf, show });

  return {
    /** Replaces the cached issue unless the cache has a newer version. */
    put: (issue: Issue): void => put(issue),
    /** Adds a newly created issue to the lists that it matches. */
    putNew: (issue: Issue): void => rows.put([briefOf(issue, undefined)]),
    ...changes,
    run: async (issue: Target, command: Command): Promise<void> => {
      const args = { issueId: issue.id };
      undo.sendNow(issue.id);
      switch (command.name) {
        case "pause":
          await show(issue, { paused: true, pausedBecause: "person", status: "Open" }, (seen) =>
            save.pause(seen, (ifMatch) => api.issues.pause(args, { ifMatch })),
          );
          return;
        case "resume":
          await show(issue, { paused: false, pausedBecause: null, status: "InProgress" }, (seen) =>
            save.pause(seen, (ifMatch) => api.issues.resume(args, { ifMatch })),
          );
          return;
        case "close": {
          const later = hold("Closing", [issue]);
          await show(issue, { status: "Closed" }, (seen) =>
            later(() =>
              save.decide(seen, async (ifMatch) => {
                await api.issues.close({ ...args, force: command.force }, { ifMatch });
                return (await read(issue.id)) ?? undefined;
              }),
            ),
          );
          return;
        }
        case "delete":
          return remove(issue);
      }
    },
  };
};
