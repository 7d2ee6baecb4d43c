import type { UsageReport } from "@quartermaster/client";
import { Effect } from "effect";
import * as Api from "../Api.ts";

/**
 * The usage that a host printed and the server does not have yet. It is sent every minute while the host works, and the
 * rest with the hand-in. A report that is sent twice counts once, and a failure never fails the work.
 */
export interface UsageQueue {
  readonly add: (report: UsageReport) => void;
  /** The newest reports that fit into one request. */
  readonly rest: () => { readonly usage?: ReadonlyArray<UsageReport> };
  /** Sends reports until at most `left` wait. */
  readonly send: (left: number) => Effect.Effect<void>;
}

const interval = "1 minute";
/** The maximum number of reports of a request, and of reports that wait while the server is unreachable. */
const most = 50;
const mostWaiting = 1_000;
/** A request that fails is repeated by the next one. It must not delay a hand-in. */
const limits = { retries: 0, timeoutMillis: 5_000 };

/** A queue that sends until its scope closes. */
export const make = Effect.fnUntraced(function* (
  access: Api.Access,
  agentId: string,
  runId: string,
) {
  const acting = { ...access, runId };
  let waiting: ReadonlyArray<UsageReport> = [];

  const post = Effect.suspend(() => {
    const usage = waiting.slice(0, most);
    return Api.call(
      acting,
      (client, options) => client.usage.report({ agentId, runId, usage }, options),
      limits,
    ).pipe(
      Effect.as(true),
      // A refused report is not sent again.
      Effect.catch(({ retryAfterSeconds }) => Effect.succeed(retryAfterSeconds === null)),
      Effect.tap((isOver) =>
        Effect.sync(() => {
          if (isOver) waiting = waiting.filter((report) => !usage.includes(report));
        }),
      ),
    );
  });

  const send = (left: number): Effect.Effect<void> =>
    Effect.suspend(() =>
      waiting.length <= left
        ? Effect.void
        : Effect.flatMap(post, (isOver) => (isOver ? send(left) : Effect.void)),
    );

  yield* Effect.sleep(interval).pipe(Effect.andThen(send(0)), Effect.forever, Effect.forkScoped);

  return {
    add: (report) => {
      waiting = [...waiting, report].slice(-mostWaiting);
    },
    rest: () => (waiting.length === 0 ? {} : { usage: waiting.slice(-most) }),
    send,
  } satisfies UsageQueue;
});
