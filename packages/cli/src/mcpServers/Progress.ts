import type { Event } from "@quartermaster/client";
import { Console, Effect, Stdio, Stream } from "effect";
import * as Api from "../Api.ts";
import * as Output from "../Output.ts";

/** Steps shorter than this are not reported. */
const pause = "1 second";

const lineOf = ({ data, kind }: Event): string =>
  kind === "mcp.preparing"
    ? `Preparing ${data["package"] ?? data["name"]} ...`
    : `${data["details"]} Starting it ...`;

/** Makes a call that may fetch a server's package. On a terminal, reports progress to stderr. */
export const during = Effect.fnUntraced(function* <A, E, R>(
  access: Api.Access,
  serverId: string,
  call: Effect.Effect<A, E, R>,
) {
  const stdio = yield* Stdio.Stdio;
  if (!(yield* stdio.stderrIsTerminal)) return yield* call;
  const kinds = "mcp.preparing,mcp.prepared";
  const report = Effect.map(
    Api.open(access, (client, signal) => client.events.subscribe({ kinds }, { signal })),
    (events) =>
      Stream.fromAsyncIterable(events, Api.failure(access.url)).pipe(
        Stream.filter(({ subjectId }) => subjectId === serverId),
        Stream.debounce(pause),
        Stream.runForEach((event) => Console.error(Output.cell(lineOf(event)))),
      ),
  );
  // A failed report does not fail the call.
  yield* Effect.ignore(
    Effect.flatMap(report, (running) => Effect.forkScoped(Effect.ignore(running))),
  );
  return yield* Output.waitingDuring("for the MCP server", call);
}, Effect.scoped);
