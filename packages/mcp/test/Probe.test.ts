import { dirname, join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { RuntimeProbe } from "@quartermaster/core";
import { Clock, Effect, Layer } from "effect";
import { Host, Probe } from "../src/index.ts";
import { program } from "./support/TestPackages.ts";
import * as World from "./support/World.ts";

const detectOn = (path: string) =>
  Effect.flatMap(RuntimeProbe.RuntimeProbe, ({ detect }) => detect).pipe(
    Effect.provide(
      Probe.layer.pipe(
        Layer.provide(
          Layer.succeed(Host.Host, {
            environment: { PATH: path },
            platform: process.platform,
            node: { path: process.execPath, version: process.version },
          }),
        ),
      ),
    ),
  );

const node = {
  detected: true,
  version: process.version.slice(1),
  path: process.execPath,
};

const says = (text: string, code = 0) =>
  `console.log(${JSON.stringify(text)}); process.exit(${code})`;

describe("the probe", () => {
  it.live("[probe.all] the probe detects Python with its version, and pipx", () =>
    Effect.gen(function* () {
      const folder = yield* World.folder;
      program(folder, "python3", says("Python 3.12.4"));
      program(folder, "pipx", says("1.7.1"));
      assert.deepStrictEqual(yield* detectOn(folder), {
        node,
        python: { detected: true, version: "3.12.4" },
        pipx: { detected: true },
      });
    }).pipe(Effect.scoped),
  );

  it.live("[probe.none] the probe detects only Node.js where nothing else is installed", () =>
    Effect.gen(function* () {
      const report = yield* detectOn(join(yield* World.folder, "none"));
      assert.deepStrictEqual(report, {
        node,
        python: { detected: false },
        pipx: { detected: false },
      });
    }).pipe(Effect.scoped),
  );

  it.live("[probe.module] the probe detects pipx as a module of a Python with another name", () =>
    Effect.gen(function* () {
      const folder = yield* World.folder;
      const source = "console.log(process.argv[2] === '-m' ? '1.7.1' : 'Python 3.11.0rc1+')";
      program(folder, "python", source);
      const report = yield* detectOn(folder);
      assert.deepStrictEqual(report.python, { detected: true, version: "3.11.0rc1" });
      assert.isTrue(report.pipx.detected);
    }).pipe(Effect.scoped),
  );

  it.live("[probe.failing] the probe does not detect a program that fails", () =>
    Effect.gen(function* () {
      const folder = yield* World.folder;
      program(folder, "python3", says("Python was not found", 9009 % 256));
      const report = yield* detectOn(folder);
      assert.isFalse(report.python.detected);
    }).pipe(Effect.scoped),
  );

  it.live("[probe.timeout] the probe waits no longer than three seconds", () =>
    Effect.gen(function* () {
      const folder = yield* World.folder;
      const silent = program(folder, "python3", "setInterval(() => {}, 1000)");
      program(folder, "pipx", says("1.7.1"));
      const began = yield* Clock.currentTimeMillis;
      const report = yield* detectOn(dirname(silent));
      assert.isBelow((yield* Clock.currentTimeMillis) - began, 6_000);
      assert.isFalse(report.python.detected);
      assert.isTrue(report.pipx.detected);
    }).pipe(Effect.scoped),
  );
});
