// The fast path for plain requests compared with the SDK's own path, in turn: `measurePlain.ts`. It
// prints the medians of both in microseconds of processor time per request, without HTTP and
// without spans.
import { Effect, References } from "effect";
import * as Endpoint from "./Endpoint.ts";

const rounds = 30;
const requests = 1_000;

const median = (values: ReadonlyArray<number>) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

const measure = (
  name: string,
  ask: (endpoint: Endpoint.Endpoint) => Effect.Effect<Effect.Effect<unknown>>,
) =>
  Effect.gen(function* () {
    const ways = [
      yield* ask(yield* Endpoint.make({ plain: true })),
      yield* ask(yield* Endpoint.make({ plain: false })),
    ] as const;
    const times: [Array<number>, Array<number>] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      for (const way of [0, 1] as const) {
        const started = process.cpuUsage();
        for (let request = 0; request < requests; request += 1) yield* ways[way];
        const { system, user } = process.cpuUsage(started);
        // The first rounds warm up both.
        if (round >= 5) times[way].push((system + user) / requests);
      }
    }
    const [fast, sdk] = [median(times[0]), median(times[1])];
    process.stdout.write(
      `${name}: fast path ${fast.toFixed(0)} us, SDK ${sdk.toFixed(0)} us, ${(fast / sdk).toFixed(2)}\n`,
    );
  });

const params = { name: "fix__echo", arguments: { message: "hello" } };

const program = Effect.gen(function* () {
  yield* measure("a call in a session", (endpoint) =>
    Effect.map(Endpoint.startSession(endpoint), (session) =>
      endpoint({ jsonrpc: "2.0", id: 1, method: "tools/call", params }, session),
    ),
  );
  yield* measure("a call of the current protocol version", (endpoint) => {
    const { body, headers } = Endpoint.current("tools/call", params);
    return Effect.succeed(endpoint(body, headers));
  });
}).pipe(Effect.scoped, Effect.provideService(References.TracerEnabled, false));

await Effect.runPromise(program);
