import type { BriefIssue, Event } from "@quartermaster/client";
import type { Data } from "../live/data.ts";
import { throttled } from "../live/query.ts";
import { issueRows } from "./issueRows.ts";

/**
 * The longest expected transaction: `updatedAt` of an issue may precede the timestamp of its event
 * by this time.
 */
const marginMillis = 5_000;

const questionsBy: { readonly [Kind in Event["kind"]]?: number } = {
  "issue.asked": 1,
  "issue.answered": -1,
  "issue.questionExpired": -1,
  "issue.questionWithdrawn": -1,
};

/** Keeps the rows of issues up to date. Events carry no row, so it reads the changed issues in batches. */
export const patchIssueRows = (data: Data): void => {
  const rows = data.store(issueRows);

  /** The timestamp from which changes are still unread; null for none. */
  let since: string | null = null;
  /**
   * Reads all issues changed since `since`, in one paged query however many changed. After 4 pages it
   * refetches the lists instead.
   */
  const pull = throttled(async () => {
    const updatedSince = since;
    since = null;
    if (updatedSince === null) return;
    let cursor: string | undefined;
    for (let page = 0; page < 4; page++) {
      const { items, next } = await data.api.issues
        .listAcross({ updatedSince, view: "brief", limit: 200, cursor })
        .page();
      rows.put(items);
      if (next === null) return;
      cursor = next;
    }
    await data.queries.invalidateQueries({ queryKey: ["issues"] });
  }, 100);

  data.stream.onEvents((events) => {
    const deleted = new Set<string>();
    const asked = new Map<string, BriefIssue>();
    for (const { createdAt, kind, subjectId } of events) {
      if (!kind.startsWith("issue.")) continue;
      if (kind === "issue.deleted") deleted.add(subjectId);
      const questions = questionsBy[kind];
      const row =
        questions === undefined ? undefined : (asked.get(subjectId) ?? rows.find(subjectId));
      if (row !== undefined && questions !== undefined) {
        asked.set(subjectId, { ...row, openQuestions: Math.max(0, row.openQuestions + questions) });
      }
      const from = new Date(Date.parse(createdAt) - marginMillis).toISOString();
      if (since === null || from < since) since = from;
    }
    if (deleted.size > 0) rows.remove(deleted);
    rows.put([...asked.values()]);
    if (since !== null) pull();
  });
};
