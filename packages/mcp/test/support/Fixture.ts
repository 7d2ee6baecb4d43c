import { readFileSync, watch } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Definition, McpConnector } from "@quartermaster/core";
import { Effect, Redacted, Schedule } from "effect";

/** A server that misbehaves on demand. `fixture.mjs` lists its behaviors. */
export const script = fileURLToPath(new URL("fixture.mjs", import.meta.url));

/** The names of the tools that a connection listed. */
export const namesOf = (listed: ReadonlyArray<unknown>): Array<string> =>
  Definition.judge(listed).tools.map(({ name }) => name);

export interface Options {
  readonly timeoutMillis?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** The lines that fixtures in this data directory have noted. */
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
): Extract<McpConnector.Target, { readonly transport: "stdio" }> => ({
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
  files: [],
  runtime: "none",
  isLocal: true,
  isOwn: false,
  sandbox: null,
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

/** The process ids that fixtures have noted, by kind. */
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

/** Waits until a condition holds for the files in a folder. Returns false after ten seconds. */
export const until = (folder: string, holds: () => boolean) =>
  Effect.callback<boolean>((resume) => {
    const watcher = watch(folder, () => check());
    const check = () => {
      if (!holds()) return;
      watcher.close();
      resume(Effect.succeed(true));
    };
    check();
    return Effect.sync(() => watcher.close());
  }).pipe(Effect.timeoutOrElse({ duration: "10 seconds", orElse: () => Effect.succeed(false) }));

/**
 * Waits until a process has exited. Returns false after ten seconds. Only a parent is notified of
 * an exit, so this polls.
 */
export const exited = (pid: number) =>
  Effect.sync(() => isAlive(pid)).pipe(
    Effect.repeat({ while: (alive) => alive, schedule: Schedule.spaced("25 millis") }),
    Effect.as(true),
    Effect.timeoutOrElse({ duration: "10 seconds", orElse: () => Effect.succeed(false) }),
  );
