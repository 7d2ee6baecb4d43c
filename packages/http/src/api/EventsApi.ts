import { Event, Id } from "@quartermaster/core";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { about, Authorization, Conventions, viewer } from "./Access.ts";

/** An event of the stream: the id to resume after, the kind, and the event itself. */
export const ServerSentEvent = Schema.Struct({
  id: Schema.String,
  event: Event.EventKind,
  data: Schema.fromJsonString(Event.Event),
});

const subscribe = HttpApiEndpoint.get("subscribe", "/api/events", {
  headers: { "last-event-id": Schema.optionalKey(Schema.String) },
  query: {
    projectId: Schema.optionalKey(
      Id.ProjectId.annotate({ description: "Events of this project alone." }),
    ),
    kinds: Schema.optionalKey(
      Schema.String.annotate({
        description: "Kinds, separated by commas, such as `issue.created` or `issue.*`.",
      }),
    ),
  },
  success: HttpApiSchema.StreamSse({ events: ServerSentEvent }),
}).annotateMerge(
  about({
    summary: "What happens, as it happens",
    description:
      "Server-Sent Events. Without `Last-Event-ID` it begins now; an id that is unknown or older than what is kept is a 400. A comment line every 15 seconds. The stream ends when its key or session does.",
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
