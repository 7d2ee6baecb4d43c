import { randomUUID } from "node:crypto";
import { mkdir, realpath, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LoaderVariables, ProcessSpawner } from "@quartermaster/core";
import { Effect } from "effect";
import { Host } from "../processes/Host.ts";
import * as Choice from "./Choice.ts";
import type { Limited } from "./Limited.ts";
import * as Probing from "./Probing.ts";
import type { Confined, Layer } from "./Sandboxes.ts";

/**
 * Closes what the permission model leaves open: options of V8 and traces write files anywhere. Scripts cannot reach
 * the original functions, since the model denies worker threads, the inspector and internal modules.
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

/** Arguments before all others. The model does not cover the databases of node:sqlite, so the module is left out. */
const closed = (preloadFile: string) => [
  "--permission",
  "--no-experimental-sqlite",
  `--require=${preloadFile}`,
  `--allow-fs-read=${preloadFile}`,
];

/** Fails if the runtime ignores the option: Node.js itself denies the read. */
const probe =
  "process.exit(process.permission.has('fs.read') || process.getBuiltinModule('node:sqlite') ? 1 : 0)";

/** Node's permission model denies the network, unless it is allowed, since version 25. */
export const deniesNetwork = (version: string): boolean =>
  Number(/^v?(\d+)/.exec(version)?.[1] ?? 0) >= 25;

/** A path, and the path without links: the permission model compares text. */
const spellings = (path: string) =>
  Effect.map(
    Effect.orElseSucceed(
      Effect.tryPromise(() => realpath(path)),
      () => path,
    ),
    (real) => [...new Set([path, real])],
  );

/** The program's own arguments for Node.js; null if it is not JavaScript. */
const scriptOf = ({ args, command }: Confined) => {
  if (Choice.isNode(command)) return args;
  return Choice.isScript(command) ? [command, ...args] : null;
};

/**
 * JavaScript programs under Node's permission model. It denies files, worker threads and child processes
 * to Node's own functions. It is a guard against accidents: Node.js does not call it a sandbox, and
 * native code is not bound by it.
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
          // Another service of the directory may be reading it.
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

    const wrap: Layer["wrap"] = Effect.fnUntraced(function* (program, limits) {
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

    return { detect, wrap } satisfies Layer;
  });
