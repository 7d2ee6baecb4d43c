import { randomUUID } from "node:crypto";
import { mkdir, realpath, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LoaderVariables, ProcessSpawner } from "@quartermaster/core";
import { Effect } from "effect";
import { Host } from "../processes/Host.ts";
import * as Choice from "./Choice.ts";
import type { Limited } from "./Limited.ts";
import * as Probing from "./Probing.ts";
import type { Confined, Launcher } from "./Sandboxes.ts";

/**
 * Closes gaps of the permission model: V8 options and traces can write files anywhere. Scripts
 * cannot reach the original functions, because the model denies worker threads, the inspector and
 * internal modules.
 */
const preload = `"use strict";
const denied = () => {
  throw Object.assign(new Error("This sandbox does not permit it."), { code: "ERR_ACCESS_DENIED" });
};
const v8 = require("node:v8");
v8.setFlagsFromString = denied;
v8.setHeapSnapshotNearHeapLimit = denied;
require("node:trace_events").createTracing = denied;
require("node:module").syncBuiltinESMExports();
`;

/**
 * Arguments that precede all others. They disable node:sqlite, because the model does not restrict
 * its databases.
 */
const closed = (preloadFile: string) => [
  "--permission",
  "--no-experimental-sqlite",
  `--require=${preloadFile}`,
  `--allow-fs-read=${preloadFile}`,
];

/** Detects a runtime that ignores the option: the read must fail. */
const probe =
  "process.exit(process.permission.has('fs.read') || process.getBuiltinModule('node:sqlite') ? 1 : 0)";

/** Whether Node's permission model can deny the network, which it does since version 25. */
export const deniesNetwork = (version: string): boolean =>
  Number(/^v?(\d+)/.exec(version)?.[1] ?? 0) >= 25;

/** A path with and without its links resolved: the permission model compares text. */
const spellings = (path: string) =>
  Effect.map(
    Effect.orElseSucceed(
      Effect.tryPromise(() => realpath(path)),
      () => path,
    ),
    (real) => [...new Set([path, real])],
  );

/** The program's arguments for Node.js; null if the program is not JavaScript. */
const scriptOf = ({ args, command }: Confined) => {
  if (Choice.isNode(command)) return args;
  return Choice.isScript(command) ? [command, ...args] : null;
};

/**
 * Runs JavaScript programs under Node's permission model, which denies Node's own functions access
 * to files, worker threads and child processes. It guards against accidents only: Node.js does not
 * call it a sandbox, and native code bypasses it.
 */
export const make = (limited: Limited, dataDir: string) =>
  Effect.gen(function* () {
    const { node } = yield* Host;
    const folder = join(dataDir, "sandbox");
    const preloadFile = join(folder, "node.cjs");

    const prepared = yield* Effect.cached(
      Effect.tryPromise({
        try: async () => {
          await mkdir(folder, { recursive: true, mode: 0o700 });
          // Another service on the same data directory may be reading the file.
          const part = `${preloadFile}.${randomUUID()}`;
          await writeFile(part, preload, { mode: 0o600 });
          await rename(part, preloadFile);
        },
        catch: () =>
          new ProcessSpawner.SpawnError({ message: "the data directory cannot be written" }),
      }),
    );

    const detect = yield* Probing.remembered(
      Effect.map(
        Effect.andThen(
          prepared,
          Probing.run(node.path, ["--no-warnings", ...closed(preloadFile), "--eval", probe]),
        ),
        ({ ok, text }) =>
          ok
            ? { detected: true, version: node.version.replace(/^v/, "") }
            : { detected: false, reason: text },
      ).pipe(Effect.catch(({ message }) => Effect.succeed({ detected: false, reason: message }))),
    );

    const wrap: Launcher["wrap"] = Effect.fnUntraced(function* (program, limits) {
      const script = scriptOf(program);
      if (script === null) {
        return yield* new ProcessSpawner.SpawnError({
          message:
            "it is not a JavaScript program, and Node's permission model does not bind others; its entry has to declare childProcesses",
        });
      }
      yield* prepared;
      const { env, folder, files, sandbox } = program;
      const loader = Object.keys(env).find(LoaderVariables.isLoaderVariable);
      if (loader !== undefined) {
        return yield* new ProcessSpawner.SpawnError({
          message: `the variable ${loader} could change what Node.js permits; remove it from the entry, or choose another sandbox`,
        });
      }
      const read = (yield* Effect.forEach(
        [...files, folder, ...sandbox.read, ...sandbox.write],
        spellings,
      )).flat();
      const write = (yield* Effect.forEach([folder, ...sandbox.write], spellings)).flat();
      const args = [
        ...closed(preloadFile),
        ...new Set(read.map((path) => `--allow-fs-read=${path}`)),
        ...new Set(write.map((path) => `--allow-fs-write=${path}`)),
        ...(sandbox.network && deniesNetwork(node.version) ? ["--allow-net"] : []),
        ...script,
      ];
      const line = limited({ command: node.path, args }, limits, false);
      return { ...line, env, cwd: folder };
    });

    return { detect, wrap } satisfies Launcher;
  });
