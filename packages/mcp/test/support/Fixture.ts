import { McpConnector } from "@quartermaster/core";
import { Effect, Layer, Redacted } from "effect";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Connector, Processes } from "../../src/index.ts";
import * as Temp from "./Temp.ts";

/** The server that misbehaves on demand: the ways are in `fixture.mjs`. */
export const script = fileURLToPath(new URL("fixture.mjs", import.meta.url));

/** Runs an effect with a connector that has a data directory of its own. */
export const withConnector = <A, E, R>(
  f: (dataDir: string) => Effect.Effect<A, E, R | McpConnector.McpConnector>,
  network: Layer.Layer<never> = Layer.empty,
) =>
  Effect.gen(function* () {
    const dataDir = yield* Temp.folder;
    const layer = Connector.layer.pipe(
      Layer.provide(Processes.Processes.layer({ dataDir })),
      Layer.provide(network),
    );
    return yield* Effect.provide(f(dataDir), layer);
  }).pipe(Effect.scoped);

export interface Options {
  readonly timeoutMillis?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Lines that fixtures of this data directory have noted. */
export const notes = (dataDir: string): ReadonlyArray<string> => {
  try {
    return readFileSync(join(dataDir, "notes"), "utf8").trim().split("\n");
  } catch {
    return [];
  }
};

export const target = (
  dataDir: string,
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {},
): McpConnector.Target => ({
  transport: "stdio",
  command: process.execPath,
  args: args.map((arg) => Redacted.make(arg)),
  env: Object.fromEntries(
    Object.entries({ FIXTURE_LOG: join(dataDir, "notes"), ...env }).map(([name, value]) => [
      name,
      Redacted.make(value),
    ]),
  ),
  folder: join(dataDir, "servers", "fixture", "shared"),
});

export const connect = (
  dataDir: string,
  behaviour: string = "good",
  argument: string = "",
  options: Options = {},
) =>
  Effect.flatMap(McpConnector.McpConnector, (connector) =>
    connector.connect(target(dataDir, [script, behaviour, argument], options.env), {
      timeoutMillis: options.timeoutMillis ?? 15_000,
    }),
  );

/** The processes that fixtures have noted, by what they are. */
export const pids = (dataDir: string, kind: "pid" | "grandchild" = "pid") =>
  notes(dataDir).flatMap((line) => {
    const [word, pid] = line.split(" ");
    return word === kind ? [Number(pid)] : [];
  });

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" && process.platform !== "linux";
  }
};

/** Waits until something holds, in real time, at most ten seconds. */
export const until = (holds: () => boolean) =>
  Effect.gen(function* () {
    for (let waited = 0; waited < 400 && !holds(); waited += 1) yield* Effect.sleep("25 millis");
    return holds();
  });
