import { type Event, EventStore } from "@quartermaster/core";
import { Effect, Layer, Option, Stream } from "effect";
import { Database } from "./Database.ts";
import * as Rows from "./Rows.ts";

const matches = ({ kinds, projects }: EventStore.EventQuery, event: Event.EventRow): boolean =>
  (kinds === null || kinds.includes(event.kind)) &&
  (projects === null ||
    (event.projectId !== null &&
      projects.includes(event.projectId) &&
      (event.relatedProjectId === null || projects.includes(event.relatedProjectId))));

/** The issue of an event; empty for one without an issue. */
const issueOf = ({ data, kind, subjectId }: Event.EventRow): string => {
  if (kind.startsWith("issue.")) return subjectId;
  return kind.startsWith("run.") ? String(data["issueId"]) : "";
};

export const layer = Layer.effect(
  EventStore.EventStore,
  Effect.map(Database, (database) =>
    EventStore.EventStore.of({
      append: (added) =>
        database.write(({ events }) => {
          for (const event of added) {
            events.set(event.id, { ...event, seq: database.nextSeq() });
          }
        }),
      lastSeq: database.read(({ events }) =>
        Array.from(events.values()).reduce((last, { seq }) => Math.max(last, seq), 0),
      ),
      seqOf: (eventId) =>
        database.read(({ events }) => Option.fromNullishOr(events.get(eventId)?.seq)),
      list: (query, { after, limit, until }) =>
        database.read(({ events, issues }) =>
          Rows.slice(
            events.values(),
            { after, limit, order: "asc" },
            (event) => event.seq <= until && matches(query, event),
          ).map((event) => ({
            ...event,
            issueKey: event.issueKey ?? issues.get(issueOf(event))?.key ?? null,
          })),
        ),
      bell: Stream.never,
      prune: (before, limit) =>
        database.write(({ events }) =>
          Rows.prune(events, limit, (event) => event.createdAt < before),
        ),
    }),
  ),
);
