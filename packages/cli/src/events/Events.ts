import type { Event } from "@quartermaster/client";
import { Console, Effect, Option, Stream } from "effect";
import * as Api from "../Api.ts";
import * as Connection from "../Connection.ts";
import * as Duration from "../Duration.ts";
import * as IssueText from "../issue/IssueText.ts";
import * as Look from "../Look.ts";
import * as Names from "../Names.ts";
import * as Output from "../Output.ts";
import * as DefaultProject from "../project/DefaultProject.ts";

/**
 * The silence after which a stream without --follow ends. The server sends stored events without
 * pauses.
 */
const silence = "1 second";

type Printed = Pick<
  Event,
  "actor" | "createdAt" | "data" | "id" | "issueKey" | "kind" | "subjectId"
>;

const lineOf = (look: Look.Look, event: Printed, nameOf: Names.NameOf): string => {
  const { actor, createdAt, data, id, issueKey, kind, subjectId } = event;
  const at = look.isTerminal ? createdAt.slice(11, 19) : createdAt;
  const text = `${at}  ${kind}  ${issueKey ?? subjectId}  ${nameOf(actor)}  ${IssueText.data(data)}`;
  return look.isTerminal
    ? Look.cut(Output.cell(text), look.columns)
    : Output.cell(`${text}  ${id}`);
};

export const run = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags &
    DefaultProject.Flags & {
      readonly follow: boolean;
      readonly since: Option.Option<string>;
      readonly kinds: Option.Option<string>;
    },
) {
  const access = yield* Connection.open(flags);
  const projectId = (yield* DefaultProject.of(access, flags)) ?? undefined;
  const kinds = Option.getOrUndefined(flags.kinds);
  const given = Option.getOrUndefined(flags.since);
  const lastEventId = given?.startsWith("evt_") === true ? given : undefined;
  const since =
    given === undefined || lastEventId !== undefined
      ? undefined
      : yield* Duration.timeBeforeNow(given);
  if (flags.follow) yield* Output.waiting(`for events at ${access.url}`);
  const look = yield* Look.ofStdout;
  // Events come one by one: only the caller is known by name.
  const nameOf = yield* Names.of(access, flags, []);
  const print = (event: Printed) =>
    Console.log(flags.json ? JSON.stringify(event) : lineOf(look, event, nameOf));
  if (!flags.follow && given === undefined) {
    const newest = yield* Api.call(access, (client, options) =>
      client.events.recent({ projectId, kinds }, options),
    );
    return yield* Effect.forEach(newest.toReversed(), print, { discard: true });
  }
  const all = Stream.unwrap(
    Effect.map(
      Api.open(access, (client, signal) =>
        client.events.subscribe({ projectId, since, kinds }, { signal, lastEventId }),
      ),
      (events) => {
        const stream = Stream.fromAsyncIterable(events, Api.failure(access.url));
        return flags.follow ? stream : Stream.timeout(stream, silence);
      },
    ),
  );
  yield* Stream.runForEach(all, print);
}, Effect.scoped);
