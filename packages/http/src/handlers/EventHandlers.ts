import { type Event, EventLog } from "@quartermaster/core";
import { Effect, Schedule, Stream } from "effect";
import { HttpServerResponse } from "effect/http";
import * as Group from "./Group.ts";
import { Api } from "../api/Api.ts";
import { HttpOptions } from "../HttpOptions.ts";
import * as Caller from "../middleware/Caller.ts";
import * as Answer from "./Answer.ts";

const render = (event: Event.Event): string =>
  `id: ${event.id}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`;

/** Keeps the connection from being taken for dead; the first one sends the headers. */
const comments = Stream.fromEffectSchedule(Effect.succeed(":\n\n"), Schedule.spaced("15 seconds"));

export const layer = Group.group(
  Api,
  "events",
  Effect.fnUntraced(function* (handlers) {
    const log = yield* EventLog.EventLog;
    const { shutdown } = yield* HttpOptions;

    return handlers.handleAll({
      subscribe: ({ headers, query }) =>
        Answer.respondWith(
          log.subscribe({
            afterId: headers["last-event-id"] || undefined,
            filter: { projectId: query.projectId, kinds: query.kinds?.split(",") },
          }),
          (events) =>
            Effect.map(Caller.current, (caller) =>
              HttpServerResponse.stream(
                Stream.map(events, render).pipe(
                  Stream.merge(comments),
                  Stream.interruptWhen(
                    Effect.raceFirst(shutdown.begun, Caller.untilRefused(caller)),
                  ),
                  Stream.encodeText,
                ),
                {
                  contentType: "text/event-stream",
                  headers: { "cache-control": "no-store", "x-accel-buffering": "no" },
                },
              ),
            ),
        ),
    });
  }),
);
