import { Event, Id, Timestamp } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, viewer } from "./Access.ts";

/** An event of the stream: the id to resume after, the kind, and the event itself. */
export const ServerSentEvent = Schema.Struct({
  id: Schema.optionalKey(Schema.String).annotateKey({
    description: "The event's id, to resume after; missing for `run.logged`, which is not stored.",
  }),
  event: Event.EventKind.annotateKey({ description: "What happened." }),
  data: Schema.fromJsonString(Event.Event).pipe(
    Schema.annotateEncoded({ description: "The event as JSON." }),
  ),
});

const filter = {
  projectId: Schema.optionalKey(Id.ProjectId).annotateKey({
    description: "Only events of this project.",
  }),
  kinds: Schema.optionalKey(Schema.String).annotateKey({
    description:
      "Only events of these kinds, separated by commas, such as `issue.created` or `issue.*`. Default: every kind that the caller may see.",
  }),
};

const subscribe = HttpApiEndpoint.get("subscribe", "/api/events", {
  headers: {
    "last-event-id": Schema.optionalKey(Schema.String).annotateKey({
      description:
        "The id of the last event that the client received. The stream resumes after it.",
    }),
  },
  query: {
    since: Schema.optionalKey(Timestamp.TimestampInput).pipe(
      Schema.annotateEncoded({
        description:
          "Without `Last-Event-ID`: start with the retained events that were created at this time or later.",
      }),
    ),
    ...filter,
  },
  success: HttpApiSchema.StreamSse({ events: ServerSentEvent }),
}).annotateMerge(
  about({
    summary: "Stream events",
    description:
      "Streams events as Server-Sent Events, from now on, after `Last-Event-ID`, or from `since` on. Responds with 400 if that id is unknown or no longer retained, and with 429 if the key has too many open streams. A comment line every 15 seconds keeps the connection open. The stream ends when its key or session expires or is deleted.",
    access: viewer,
  }),
);

const recent = HttpApiEndpoint.get("recent", "/api/events/recent", {
  query: {
    ...filter,
    limit: Schema.optionalKey(
      Schema.Int.check(
        Schema.isBetween(
          { minimum: 1, maximum: 100 },
          { expected: "a whole number from 1 to 100" },
        ),
      ),
    ).annotateKey({
      description: "The number of events, 1 to 100. Default: 50.",
      contentSchema: { type: "integer", minimum: 1, maximum: 100, default: 50 },
    }),
  },
  success: Schema.Array(Event.Event),
}).annotateMerge(
  about({
    summary: "List recent events",
    description:
      "Returns the newest events that the caller may see, newest first, among the last 10,000 of the log.",
    access: viewer,
  }),
);

/** The stream of events. */
export class EventsApi extends HttpApiGroup.make("events")
  .add(subscribe, recent)
  .middleware(Conventions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "Events", description: "The durable, ordered log of changes." }),
  ) {}
