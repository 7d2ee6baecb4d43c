import { IssueLink, LinkStore } from "@quartermaster/core";
import { Effect, Layer, Option } from "effect";
import { Database } from "./Database.ts";
import * as Graph from "./Graph.ts";
import * as Rows from "./Rows.ts";

const joins = (
  link: IssueLink.LinkRow,
  relation: IssueLink.Relation,
  sourceId: string,
  targetId: string,
): boolean =>
  link.relation === relation &&
  ((link.sourceId === sourceId && link.targetId === targetId) ||
    (relation === "RelatedTo" && link.sourceId === targetId && link.targetId === sourceId));

export const layer = Layer.effect(
  LinkStore.LinkStore,
  Effect.map(Database, (database) =>
    LinkStore.LinkStore.of({
      insert: (link) =>
        database.write((tables, locks) => {
          locks?.issue(link.sourceId);
          locks?.issue(link.targetId);
          const row = { ...link, seq: database.nextSeq() };
          tables.links.set(row.id, row);
          Graph.countLink(tables, row, 1);
          return row;
        }),
      remove: (linkId) =>
        database.write((tables, locks) => {
          const link = tables.links.get(linkId);
          if (link !== undefined) {
            locks?.issue(link.sourceId);
            locks?.issue(link.targetId);
            tables.links.delete(linkId);
            Graph.countLink(tables, link, -1);
          }
        }),
      get: (linkId) => database.read(({ links }) => Option.fromNullishOr(links.get(linkId))),
      find: (relation, sourceId, targetId) =>
        database.read(({ links }) =>
          Option.fromNullishOr(
            Array.from(links.values()).find((link) => joins(link, relation, sourceId, targetId)),
          ),
        ),
      list: (issueId, projects, slice) => {
        const visible = Rows.among(projects);
        return database.read(({ links }) =>
          Rows.slice(
            links.values(),
            slice,
            (link) =>
              (link.sourceId === issueId || link.targetId === issueId) &&
              visible(IssueLink.otherProject(link, issueId)),
          ),
        );
      },
      neighbors: ({ issueIds, limit, projects, side }) => {
        const visible = Rows.among(projects);
        return database.read(({ links }) => {
          const found = new Set<string>();
          for (const link of Graph.bySeq(links.values())) {
            const [own, other, project] =
              side === "blockers"
                ? [link.targetId, link.sourceId, link.sourceProjectId]
                : [link.sourceId, link.targetId, link.targetProjectId];
            if (link.relation === "Blocks" && issueIds.includes(own) && visible(project)) {
              found.add(other);
            }
          }
          return Array.from(found).slice(0, limit);
        });
      },
      edges: (issueIds) => {
        const wanted = new Set(issueIds);
        return database.read(({ links }) =>
          Graph.bySeq(links.values())
            .filter(
              ({ relation, sourceId, targetId }) =>
                relation === "Blocks" && wanted.has(sourceId) && wanted.has(targetId),
            )
            .map(({ sourceId, targetId }) => ({ from: sourceId, to: targetId })),
        );
      },
      path: (from, to) =>
        database.read((tables) => Option.fromNullishOr(Graph.path(tables, from, to))),
    }),
  ),
);
