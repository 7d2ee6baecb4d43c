import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { McpConnector } from "@quartermaster/core";
import { Connector, Processes, Sandboxes, Spawner } from "@quartermaster/mcp";
import { Effect, Exit, Layer, ManagedRuntime, Redacted, Scope } from "effect";

/**
 * The process that calls tools. There is one for each way to reach a server, so that the memory of
 * one does not count for another. It responds to each message (`Order`) with `Done`.
 *
 *   ours <data directory> <script> <sandbox = direct>
 *                                    a connection of Quartermaster
 *   bare <script>                    the official SDK's client with its own transport
 *   http <address> <key> <tool>      the official SDK's client over HTTP
 */

export type Order =
  /** Starts the program, lists its tools and stops it. */
  | { readonly order: "start" }
  /** Calls the tool of a running program, at most `atOnce` calls at a time. */
  | { readonly order: "call"; readonly calls: number; readonly atOnce: number };

export interface Calls {
  readonly perSecond: number;
  /** In milliseconds. */
  readonly p50: number;
  /** The duration of a start, in milliseconds. */
  readonly started: number;
}

export interface Done {
  readonly calls: Calls;
  readonly error: string | null;
}

interface Connected {
  /**
   * Makes all calls, at most `atOnce` at a time. Returns the duration of each call, in
   * milliseconds.
   */
  readonly call: (calls: number, atOnce: number) => Promise<ReadonlyArray<number>>;
  readonly close: () => Promise<void>;
}

type Way = (args: ReadonlyArray<string>) => () => Promise<Connected>;

const message = { message: "hello" };
const timeoutMillis = 60_000;

const check = (result: { readonly content?: unknown; readonly isError?: unknown }) => {
  if (result.isError !== true && JSON.stringify(result.content).includes("hello")) return;
  throw new Error(`an unexpected answer: ${JSON.stringify(result)}`);
};

/** Runs `atOnce` loops concurrently; each waits for its call before it makes the next one. */
const each = async (calls: number, atOnce: number, one: () => Promise<void>) => {
  const latencies: Array<number> = [];
  let left = calls;
  const caller = async () => {
    while (left-- > 0) {
      const began = performance.now();
      await one();
      latencies.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
  return latencies;
};

const sdk = async (
  transport: StdioClientTransport | StreamableHTTPClientTransport,
  name: string,
): Promise<Connected> => {
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(transport);
  await client.listTools();
  return {
    call: (calls, atOnce) =>
      each(calls, atOnce, async () => check(await client.callTool({ name, arguments: message }))),
    close: () => client.close(),
  };
};

const bare: Way =
  ([script = ""]) =>
  () =>
    sdk(
      new StdioClientTransport({ command: process.execPath, args: [script], stderr: "ignore" }),
      "echo",
    );

const http: Way =
  ([address = "", key = "", name = ""]) =>
  () =>
    sdk(
      new StreamableHTTPClientTransport(new URL(address), {
        requestInit: { headers: { authorization: `Bearer ${key}` } },
      }),
      name,
    );

const isSandbox = (name: string): name is Sandboxes.Setting =>
  Sandboxes.settings.some((setting) => setting === name);

const ours: Way = ([dataDir = "", script = "", sandbox = "direct"]) => {
  if (!isSandbox(sandbox)) throw new Error(`There is no sandbox ${sandbox}.`);
  const runtime = ManagedRuntime.make(
    Connector.layer.pipe(
      Layer.provide(Spawner.layer({ dataDir, sandbox })),
      Layer.provide(Processes.Processes.layer({ dataDir })),
    ),
  );
  const target: McpConnector.Target = {
    transport: "stdio",
    command: process.execPath,
    args: [Redacted.make(script)],
    env: {},
    folder: join(dataDir, "servers", "bench"),
    // The packages that the script imports.
    files: [join(import.meta.dirname, "../node_modules")],
    runtime: "none",
    isLocal: true,
    isOwn: false,
    sandbox: null,
  };
  return () =>
    runtime.runPromise(
      Effect.gen(function* () {
        const connector = yield* McpConnector.McpConnector;
        const scope = yield* Scope.make();
        const connection = yield* Scope.provide(
          connector.connect(target, { timeoutMillis }),
          scope,
        );
        yield* connection.listTools;
        const one = Effect.map(connection.callTool("echo", message, { timeoutMillis }), check);
        const many = (calls: number, atOnce: number) =>
          Effect.gen(function* () {
            const latencies: Array<number> = [];
            let left = calls;
            const caller = Effect.gen(function* () {
              while (left-- > 0) {
                const began = performance.now();
                yield* one;
                latencies.push(performance.now() - began);
              }
            });
            yield* Effect.all(
              Array.from({ length: atOnce }, () => caller),
              { concurrency: "unbounded", discard: true },
            );
            return latencies;
          });
        return {
          call: (calls, atOnce) => runtime.runPromise(many(calls, atOnce)),
          close: () => runtime.runPromise(Scope.close(scope, Exit.void)),
        };
      }),
    );
};

const ways: Readonly<Record<string, Way>> = { ours, bare, http };

const [name = "", ...args] = process.argv.slice(2);
const connect = ways[name]?.(args);
if (connect === undefined) throw new Error(`There is no way ${name}.`);

let connected: Promise<Connected> | undefined;

const median = (latencies: ReadonlyArray<number>) =>
  latencies.toSorted((a, b) => a - b)[latencies.length >> 1] ?? Number.NaN;

const carryOut = async (order: Order): Promise<Calls> => {
  const began = performance.now();
  if (order.order === "start") {
    const once = await connect();
    const started = performance.now() - began;
    await once.close();
    return { perSecond: Number.NaN, p50: Number.NaN, started };
  }
  const { call } = await (connected ??= connect());
  const from = performance.now();
  const latencies = await call(order.calls, order.atOnce);
  const seconds = (performance.now() - from) / 1_000;
  return { perSecond: order.calls / seconds, p50: median(latencies), started: Number.NaN };
};

const nothing: Calls = { perSecond: Number.NaN, p50: Number.NaN, started: Number.NaN };

process.on("message", (order: Order) => {
  void carryOut(order)
    .then(
      (calls): Done => ({ calls, error: null }),
      (error): Done => ({ calls: nothing, error: String(error) }),
    )
    .then((done) => process.send?.(done));
});

/** Also stops its servers. */
const end = async () => {
  await connected?.then(({ close }) => close()).catch(() => undefined);
  process.exit(0);
};
process.once("disconnect", () => void end());
process.once("SIGTERM", () => void end());
