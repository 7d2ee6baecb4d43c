import { type Event, EventLog } from "@quartermaster/core";
import { Effect, Schedule, Stream } from "effect";
import { HttpServerResponse } from "effect/http";
import { HttpOptions } from "../HttpOptions.ts";
import { untilRefused } from "../request/Caller.ts";
import * as Handlers from "./Handlers.ts";

const render = (event: Event.Event): string =>
  `id: ${event.id}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`;

/** Keeps the connection from being taken for dead; the first one sends the headers. */
const comments = Stream.fromEffectSchedule(Effect.succeed(":\n\n"), Schedule.spaced("15 seconds"));

export const layer = Handlers.layer(
  Effect.gen(function* () {
    const log = yield* EventLog.EventLog;
    const { shutdown } = yield* HttpOptions;

    return Handlers.of("events", {
      subscribe: ({ caller, headers, query }) =>
        Effect.map(
          log.subscribe({
            afterId: headers["last-event-id"] || undefined,
            filter: { projectId: query.projectId, kinds: query.kinds?.split(",") },
          }),
          (events) =>
            HttpServerResponse.stream(
              Stream.map(events, render).pipe(
                Stream.merge(comments),
                Stream.interruptWhen(Effect.raceFirst(shutdown.begun, untilRefused(caller))),
                Stream.encodeText,
              ),
              {
                contentType: "text/event-stream",
                headers: { "cache-control": "no-store", "x-accel-buffering": "no" },
              },
            ),
        ),
    });
  }),
);
