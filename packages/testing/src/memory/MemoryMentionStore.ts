import { type InboxStore, MentionStore } from "@quartermaster/core";
import { Effect, Layer } from "effect";
import { Database } from "./Database.ts";
import * as Rows from "./Rows.ts";
import type { Tables } from "./Tables.ts";

const keyOf = ({ issueId, name, textId }: MentionStore.Mention) =>
  JSON.stringify([issueId, name, textId]);

const removeWhere = (
  { mentions }: Tables,
  where: (mention: MentionStore.Mention) => boolean,
): number => Rows.prune(mentions, Infinity, where);

export const removeOfIssue = (tables: Tables, issueId: string): number =>
  removeWhere(tables, (mention) => mention.issueId === issueId);

/** The newest mention of a name in each issue, without issues on which the user commented later. */
export const open = (
  tables: Tables,
  { name, projects }: InboxStore.InboxQuery & { readonly name: string },
): ReadonlyArray<InboxStore.InboxMention> => {
  const visible = Rows.among(projects);
  const newestFirst = Array.from(tables.mentions.values())
    .filter((mention) => mention.name === name)
    .toSorted((a, b) =>
      a.since === b.since ? (a.textId < b.textId ? 1 : -1) : a.since < b.since ? 1 : -1,
    )
    .slice(0, 1_000);
  const newest = Map.groupBy(newestFirst, ({ issueId }) => issueId);
  return [...newest].flatMap(([issueId, [mention]]): ReadonlyArray<InboxStore.InboxMention> => {
    const issue = tables.issues.get(issueId);
    if (issue === undefined || mention === undefined || !visible(issue.projectId)) return [];
    const isAnswered = Array.from(tables.comments.values()).some(
      ({ authorId, authorType, createdAt, ...comment }) =>
        comment.issueId === issueId &&
        authorType === "User" &&
        authorId === name &&
        createdAt > mention.since,
    );
    if (isAnswered) return [];
    const { assignedAgentId, key, priority, projectId, title } = issue;
    const { since, textId } = mention;
    const text = tables.comments.get(textId)?.content ?? issue.description ?? "";
    return [
      {
        mention: { since, textId },
        text,
        issue: { id: issueId, key, projectId, title, priority, assignedAgentId },
      },
    ];
  });
};

export const layer = Layer.effect(
  MentionStore.MentionStore,
  Effect.map(Database, (database) =>
    MentionStore.MentionStore.of({
      insert: (rows) =>
        database.write(({ mentions }) => {
          for (const row of rows) {
            if (mentions.get(keyOf(row)) === undefined) mentions.set(keyOf(row), row);
          }
        }),
      remove: ({ issueId, names, textId }) =>
        database.write((tables) => {
          removeWhere(
            tables,
            (mention) =>
              mention.issueId === issueId &&
              names.includes(mention.name) &&
              (textId === undefined || mention.textId === textId),
          );
        }),
      prune: (before, limit) =>
        database.write(({ mentions }) =>
          Rows.prune(mentions, limit, ({ since }) => since < before),
        ),
    }),
  ),
);
