import { Event, Id } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, viewer } from "./Access.ts";

/** An event of the stream: the id to resume after, the kind, and the event itself. */
export const ServerSentEvent = Schema.Struct({
  id: Schema.String.annotateKey({ description: "The event's id, to resume after." }),
  event: Event.EventKind.annotateKey({ description: "What happened." }),
  data: Schema.fromJsonString(Event.Event).pipe(
    Schema.annotateEncoded({ description: "The event as JSON." }),
  ),
});

const subscribe = HttpApiEndpoint.get("subscribe", "/api/events", {
  headers: {
    "last-event-id": Schema.optionalKey(Schema.String).annotateKey({
      description:
        "The id of the last event that the client received. The stream resumes after it.",
    }),
  },
  query: {
    projectId: Schema.optionalKey(Id.ProjectId).annotateKey({
      description: "Events of this project only.",
    }),
    kinds: Schema.optionalKey(Schema.String).annotateKey({
      description:
        "Kinds, separated by commas, such as `issue.created` or `issue.*`. Default: all that the caller may see.",
    }),
  },
  success: HttpApiSchema.StreamSse({ events: ServerSentEvent }),
}).annotateMerge(
  about({
    summary: "Stream events",
    description:
      "Server-Sent Events, as they happen. Starts now, or after `Last-Event-ID`; an id that is unknown or no longer retained is a 400. A comment line every 15 seconds keeps the connection open. The stream ends when its key or session does. A key with too many open streams is 429.",
    access: viewer,
  }),
);

/** The stream of events. */
export class EventsApi extends HttpApiGroup.make("events")
  .add(subscribe)
  .middleware(Conventions)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({ title: "Events", description: "What happened, durably and in order." }),
  ) {}
