import type { Comment, Issue, TextChange } from "@quartermaster/client";
import * as Look from "../Look.ts";
import * as Names from "../Names.ts";
import * as Output from "../Output.ts";

/** Issues in words. */

type State = Pick<Issue, "notBefore" | "paused" | "pausedBecause" | "status">;

/** The status, with the reason why agents cannot pick the issue up. */
export const state = (
  look: Look.Look,
  { notBefore, paused, pausedBecause, status }: State,
): string => {
  if (paused) return Look.state(look, `${status}, paused (${pausedBecause ?? "unknown"})`);
  if (notBefore === null) return Look.state(look, status);
  const start = Look.time(look, notBefore);
  return Look.state(
    look,
    `${status}, ${look.isTerminal ? `starts ${start}` : `not before ${start}`}`,
  );
};

/** An issue on one line. */
export const line = (
  look: Look.Look,
  { key, status, title }: Pick<Issue, "key" | "status" | "title">,
): string => `${Look.strong(look, key)} ${Look.state(look, status)} ${Output.cell(title)}`;

/** The data of an entry of the timeline, as `name: value` pairs. */
export const data = (data: Readonly<Record<string, unknown>>): string =>
  Object.entries(data)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");

/** The comments, each after an empty line. */
export const comments = (
  look: Look.Look,
  comments: ReadonlyArray<Comment>,
  nameOf?: Names.NameOf,
): ReadonlyArray<string> =>
  comments.flatMap(({ authorId, authorType, content, createdAt, deletedBy, editedAt }) => {
    const edited = editedAt === null || deletedBy !== null ? "" : ", edited";
    const author =
      nameOf === undefined
        ? `${authorType} ${authorId}`
        : nameOf({ type: authorType, id: authorId });
    const head = `${author}, ${Look.time(look, createdAt)}${edited}:`;
    return [
      "",
      Look.faint(look, Output.cell(head)),
      deletedBy === null
        ? Output.multiline(content)
        : Look.faint(look, Output.cell(`Comment deleted by ${(nameOf ?? Names.plain)(deletedBy)}`)),
    ];
  });

/** Texts that changed, each after an empty line. */
export const changes = (
  look: Look.Look,
  changes: ReadonlyArray<TextChange>,
): ReadonlyArray<string> =>
  changes.flatMap(({ actor: by, at, commentId, content }) => {
    const text = commentId === null ? "The description" : `The comment ${commentId}`;
    const isGone = content === null || content === "";
    const head = `${text} was ${isGone ? "removed" : "changed"} by ${Names.plain(by)}, ${Look.time(look, at)}`;
    return [
      "",
      Look.faint(look, Output.cell(isGone ? `${head}.` : `${head}:`)),
      ...(isGone ? [] : [Output.multiline(content)]),
    ];
  });
