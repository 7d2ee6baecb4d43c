// The connector compared with the bare client of the SDK, in turn on one server:
// `measure.ts <script> [arguments]`. It prints medians of both and their ratio.
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { McpConnector } from "@quartermaster/core";
import { Effect } from "effect";
import * as Fixture from "./Fixture.ts";
import * as World from "./World.ts";

const args = process.argv.slice(2);
const inFlight = 100;

const median = (values: ReadonlyArray<number>) =>
  values.toSorted((a, b) => a - b)[values.length >> 1]!;

const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const began = performance.now();
    return Effect.map(effect, () => performance.now() - began);
  });

const openBare = Effect.promise(async () => {
  const client = new Client({ name: "measure", version: "1" });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, stderr: "pipe" }),
  );
  await client.listTools();
  return client;
});

const report = (what: string, ours: ReadonlyArray<number>, bare: ReadonlyArray<number>) => {
  const [a, b] = [median(ours), median(bare)];
  process.stdout.write(
    `${what}: ours ${a.toFixed(3)}, bare ${b.toFixed(3)}, ${(a / b).toFixed(2)}\n`,
  );
};

const program = World.withConnector((dataDir) =>
  Effect.gen(function* () {
    const connector = yield* McpConnector.McpConnector;
    const open = connector
      .connect(Fixture.target(dataDir, args), { timeoutMillis: 20_000 })
      .pipe(Effect.tap(({ listTools }) => listTools));
    const connection = yield* open;
    const client = yield* openBare;
    const params = { name: "echo", arguments: { message: "hello" } };
    const calls = [
      connection.callTool("echo", params.arguments, { timeoutMillis: 20_000 }),
      Effect.promise(() => client.callTool(params)),
    ] as const;

    const one: [Array<number>, Array<number>] = [[], []];
    const many: [Array<number>, Array<number>] = [[], []];
    for (let round = 0; round < 20; round += 1) {
      for (const n of [0, 1] as const) {
        const times: Array<number> = [];
        for (let call = 0; call < 300; call += 1)
          times.push(yield* timed<unknown, unknown, never>(calls[n]));
        const all = Effect.forEach(
          Array.from({ length: 3_000 }),
          (): Effect.Effect<unknown, unknown> => calls[n],
          { concurrency: inFlight, discard: true },
        );
        const millis = yield* timed(all);
        // The first rounds warm up both.
        if (round < 5) continue;
        one[n].push(median(times));
        many[n].push(3_000 / (millis / 1_000));
      }
    }
    report("one call, ms", ...one);
    report(`calls a second, ${inFlight} in flight`, ...many);

    const starts: [Array<number>, Array<number>] = [[], []];
    for (let round = 0; round < 7; round += 1) {
      starts[0].push(yield* Effect.scoped(timed(open)));
      let opened: Client | undefined;
      starts[1].push(
        yield* timed(Effect.tap(openBare, (bare) => Effect.sync(() => (opened = bare)))),
      );
      yield* Effect.promise(async () => opened?.close());
    }
    report("start to listed, ms", ...starts);
    yield* Effect.promise(() => client.close());
  }),
);

await Effect.runPromise(program);
