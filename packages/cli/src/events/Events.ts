import type { Event } from "@quartermaster/client";
import { Console, Effect, Option, Stream } from "effect";
import * as Api from "../Api.ts";
import { usage } from "../CommandError.ts";
import * as Connection from "../Connection.ts";
import * as Output from "../Output.ts";

/**
 * The silence after which a stream without --follow ends. The server sends stored events without
 * pauses.
 */
const silence = "1 second";

const print = (json: boolean, { actor, createdAt, data, id, kind, ...event }: Event) => {
  const text = `${createdAt}  ${kind}  ${event.subjectId}  ${actor.type} ${actor.id}  ${JSON.stringify(data)}  ${id}`;
  return Console.log(
    json ? JSON.stringify({ id, kind, ...event, actor, data, createdAt }) : Output.cell(text),
  );
};

export const run = Effect.fnUntraced(function* (
  flags: Connection.Flags & {
    readonly json: boolean;
    readonly follow: boolean;
    readonly since: Option.Option<string>;
    readonly project: Option.Option<string>;
    readonly kinds: Option.Option<string>;
  },
) {
  if (!flags.follow && Option.isNone(flags.since)) {
    return yield* usage("Use --follow for new events, or --since with the id of an event.");
  }
  const access = yield* Connection.open(flags);
  const all = Stream.unwrap(
    Effect.map(
      Api.open(access, (client, signal) =>
        client.events.subscribe(
          {
            projectId: Option.getOrUndefined(flags.project),
            kinds: Option.getOrUndefined(flags.kinds),
          },
          { signal, lastEventId: Option.getOrUndefined(flags.since) },
        ),
      ),
      (events) => {
        const stream = Stream.fromAsyncIterable(events, Api.failure(access.url));
        return flags.follow ? stream : Stream.timeout(stream, silence);
      },
    ),
  );
  yield* Stream.runForEach(all, (event) => print(flags.json, event));
}, Effect.scoped);
