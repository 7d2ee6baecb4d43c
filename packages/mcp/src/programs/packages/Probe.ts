import { homedir, tmpdir } from "node:os";
import * as NodeServices from "@effect/platform-node/NodeServices";
import { RuntimeProbe } from "@quartermaster/core";
import { Effect, Layer, Option, Stream } from "effect";
import { ChildProcess, ChildProcessSpawner } from "effect/process";
import * as Environment from "../processes/Environment.ts";
import { Host } from "../processes/Host.ts";
import { Programs } from "./Programs.ts";
import { type Launch, Runtimes } from "./Runtimes.ts";

const limit = "3 seconds";
const freshFor = "30 seconds";

/** Detects runtimes in the folders that are searched for programs of packages. */
export const layer: Layer.Layer<RuntimeProbe.RuntimeProbe> = Layer.effect(
  RuntimeProbe.RuntimeProbe,
  Effect.gen(function* () {
    const host = yield* Host;
    const runtimes = yield* Runtimes;
    const spawner = yield* ChildProcessSpawner.ChildProcessSpawner;

    const { HOME = homedir() } = host.environment;
    const env = { ...Environment.make(host, tmpdir()), HOME, TMPDIR: tmpdir() };

    /** The version that a program reports; none if the program is missing, fails or times out. */
    const versionOf = Effect.fnUntraced(
      function* (launch: Launch | null) {
        if (launch === null) return Option.none<string>();
        const handle = yield* spawner.spawn(
          ChildProcess.make(launch.command, [...launch.args, "--version"], {
            env,
            stdin: "ignore",
            stderr: "ignore",
            killSignal: "SIGKILL",
          }),
        );
        const text = yield* Stream.mkString(Stream.decodeText(handle.stdout));
        const [version] = /\d+(?:\.\w+)+/.exec(text) ?? [];
        return (yield* handle.exitCode) === 0 ? Option.some(version ?? "") : Option.none();
      },
      Effect.scoped,
      Effect.timeoutOption(limit),
      Effect.map(Option.flatten),
      Effect.orElseSucceed(() => Option.none<string>()),
    );

    const python = Effect.flatMap(runtimes.python, versionOf);
    const pipx = Effect.gen(function* () {
      const own = yield* versionOf(yield* runtimes.pipx);
      if (Option.isSome(own)) return own;
      const interpreter = yield* runtimes.python;
      return yield* versionOf(
        interpreter && { command: interpreter.command, args: [...interpreter.args, "-m", "pipx"] },
      );
    });

    const detected = Effect.gen(function* () {
      const versions = yield* Effect.all({ python, pipx }, { concurrency: "unbounded" });
      const version = Option.getOrUndefined(versions.python);
      return {
        node: {
          detected: true,
          version: host.node.version.replace(/^v/, ""),
          path: host.node.path,
        },
        python: { detected: version !== undefined, ...(version && { version }) },
        pipx: { detected: Option.isSome(versions.pipx) },
      };
    }).pipe(Effect.withSpan("RuntimeProbe.detect"));

    const detect = yield* Effect.cachedWithTTL(detected, freshFor);
    return RuntimeProbe.RuntimeProbe.of({ detect });
  }),
).pipe(
  Layer.provide(Runtimes.layer),
  Layer.provide(Programs.layer),
  Layer.provide(NodeServices.layer),
);
