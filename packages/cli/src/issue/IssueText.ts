import type { Actor, Comment, Issue } from "@quartermaster/client";
import * as Output from "../Output.ts";

/** Issues in words. */

type State = Pick<Issue, "notBefore" | "paused" | "pausedBecause" | "status">;

/** The status, with the reason why agents cannot pick the issue up. */
export const state = ({ notBefore, paused, pausedBecause, status }: State): string => {
  if (paused) return `${status}, paused (${pausedBecause ?? "unknown"})`;
  return notBefore === null ? status : `${status}, not before ${notBefore}`;
};

/** An issue on one line. */
export const line = ({ id, status, title }: Pick<Issue, "id" | "status" | "title">): string =>
  Output.cell(`${id} ${status} ${title}`);

export const actor = ({ id, type }: Actor): string => `${type.toLowerCase()} ${id}`;

/** The comments, each after an empty line. */
export const comments = (comments: ReadonlyArray<Comment>): ReadonlyArray<string> =>
  comments.flatMap(({ authorId, authorType, content, createdAt }) => [
    "",
    Output.cell(`${authorType} ${authorId}, ${createdAt}:`),
    Output.multiline(content),
  ]);
