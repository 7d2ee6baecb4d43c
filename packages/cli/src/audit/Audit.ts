import { Effect, Option } from "effect";
import * as Connection from "../Connection.ts";
import * as Duration from "../Duration.ts";
import * as Lists from "../Lists.ts";
import * as Names from "../Names.ts";
import * as Output from "../Output.ts";

export const list = Effect.fnUntraced(function* (
  flags: Connection.ResultFlags & {
    readonly limit: number;
    readonly action: Option.Option<string>;
    readonly actor: Option.Option<string>;
    readonly from: Option.Option<string>;
    readonly to: Option.Option<string>;
  },
) {
  const access = yield* Connection.open(flags);
  const query = {
    limit: Lists.pageSize(flags.limit),
    action: Option.getOrUndefined(flags.action),
    actor: Option.getOrUndefined(flags.actor),
    from: yield* Duration.givenTime(flags.from),
    to: yield* Duration.givenTime(flags.to),
  };
  const entries = yield* Lists.take(access, flags.limit, (client, options) =>
    client.audit.list(query, options),
  );
  const nameOf = yield* Names.of(
    access,
    flags,
    entries.map(({ actor }) => actor),
  );
  yield* Output.list(
    flags.json,
    entries,
    ["TIME", "ACTION", "SUBJECT", "CHANGES", "BY", "ADDRESS"],
    entries.map(({ action, actor, address, at, changes, subject }) => [
      Output.time(at),
      action,
      subject.name ?? subject.id,
      changes.join(" "),
      { draw: (look) => (look.isTerminal ? nameOf(actor) : actor.id) },
      address,
    ]),
  );
});
