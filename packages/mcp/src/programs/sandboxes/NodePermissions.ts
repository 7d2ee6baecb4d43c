import { realpath } from "node:fs/promises";
import { ProcessSpawner } from "@quartermaster/core";
import { Effect } from "effect";
import { Host } from "../processes/Host.ts";
import * as Choice from "./Choice.ts";
import type { Limited } from "./Limited.ts";
import * as Probing from "./Probing.ts";
import type { Confined, Layer } from "./Sandboxes.ts";

/** Fails if the runtime ignores the option: Node.js itself denies the read. */
const probe = "process.exit(process.permission.has('fs.read') ? 1 : 0)";

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
export const make = (limited: Limited) =>
  Effect.gen(function* () {
    const { node } = yield* Host;

    const detect = yield* Probing.remembered(
      Effect.map(
        Probing.run(node.path, ["--no-warnings", "--permission", "--eval", probe]),
        ({ ok, text }) =>
          ok
            ? { detected: true, version: node.version.replace(/^v/, "") }
            : { detected: false, reason: text },
      ),
    );

    const wrap: Layer["wrap"] = Effect.fnUntraced(function* (program, limits) {
      const script = scriptOf(program);
      if (script === null) {
        return yield* new ProcessSpawner.SpawnError({
          message:
            "it is not a JavaScript program, and Node's permission model does not bind others; its entry has to declare childProcesses",
        });
      }
      const { folder, files, sandbox } = program;
      const read = (yield* Effect.forEach(
        [...files, folder, ...sandbox.read, ...sandbox.write],
        spellings,
      )).flat();
      const write = (yield* Effect.forEach([folder, ...sandbox.write], spellings)).flat();
      const args = [
        "--permission",
        ...new Set(read.map((path) => `--allow-fs-read=${path}`)),
        ...new Set(write.map((path) => `--allow-fs-write=${path}`)),
        ...(sandbox.workers ? ["--allow-worker"] : []),
        ...(sandbox.network && deniesNetwork(node.version) ? ["--allow-net"] : []),
        ...script,
      ];
      const line = limited({ command: node.path, args }, limits, false);
      return { ...line, env: program.env, cwd: folder };
    });

    return { detect, wrap } satisfies Layer;
  });
