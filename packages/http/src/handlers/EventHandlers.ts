import { type Event, EventLog } from "@quartermaster/core";
import { Effect, Schedule, Stream } from "effect";
import { HttpServerResponse } from "effect/http";
import * as Problem from "../api/Problem.ts";
import * as Reply from "../endpoint/Reply.ts";
import { HttpOptions } from "../HttpOptions.ts";
import { OpenStreams } from "../request/OpenStreams.ts";
import * as Refused from "../request/Refused.ts";
import { Validity } from "../request/Validity.ts";
import * as Handlers from "./Handlers.ts";

/** No subscription resumes after an event that is not stored, so it has no line with its id. */
const render = (event: Event.Event): string =>
  `${event.kind === "run.logged" ? "" : `id: ${event.id}\n`}event: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`;

/** Comments that keep proxies from closing an idle connection. The first one sends the headers. */
const comments = Stream.fromEffectSchedule(Effect.succeed(":\n\n"), Schedule.spaced("15 seconds"));

export const layer = Handlers.layer(
  Effect.gen(function* () {
    const log = yield* EventLog.EventLog;
    const { untilRefused } = yield* Validity;
    const { take } = yield* OpenStreams;
    const { maxStreams, shutdown } = yield* HttpOptions;
    const tooMany = Refused.from(
      new Problem.RateLimited({
        detail: `This key has ${maxStreams} open event streams, which is the limit. Close one, or retry after the delay in \`Retry-After\`.`,
      }),
      { "retry-after": "10" },
    );

    return Handlers.of("events", {
      recent: ({ query: { kinds, limit, projectId } }) =>
        Reply.ok(log.recent({ limit, filter: { projectId, kinds: kinds?.split(",") } })),
      subscribe: Effect.fnUntraced(function* ({ caller, headers, query }) {
        if (!(yield* take(caller.keyId))) return tooMany;
        const events = yield* log.subscribe({
          afterId: headers["last-event-id"] || undefined,
          since: query.since,
          filter: { projectId: query.projectId, kinds: query.kinds?.split(",") },
        });
        return HttpServerResponse.stream(
          Stream.map(events, render).pipe(
            Stream.merge(comments),
            Stream.interruptWhen(Effect.raceFirst(shutdown.started, untilRefused(caller))),
            Stream.encodeText,
          ),
          {
            contentType: "text/event-stream",
            headers: { "cache-control": "no-store", "x-accel-buffering": "no" },
          },
        );
      }),
    });
  }),
);
