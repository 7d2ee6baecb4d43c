import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { McpConnector, ProcessSpawner, Sandbox } from "@quartermaster/core";
import { Effect, Exit, Layer, Redacted, Scope } from "effect";
import { Connector, Host } from "../src/index.ts";
import * as Fixture from "./support/Fixture.ts";
import * as World from "./support/World.ts";

/** A program `docker` that records its arguments, and runs a server instead of a container. */
const fakeDocker = (folder: string) => {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "docker");
  writeFileSync(
    path,
    [
      "#!/bin/sh",
      `printf '%s\\n' "$*" >> ${join(folder, "log")}`,
      'case "$1" in',
      "  version) echo 28.1.0 ;;",
      `  run) env > ${join(folder, "environment")}; cat /dev/fd/3 > ${join(folder, "variables")}; exec ${process.execPath} ${Fixture.script} good ;;`,
      "esac",
    ].join("\n"),
  );
  chmodSync(path, 0o700);
  return join(folder, "log");
};

const start = (
  dataDir: string,
  bin: string,
  overrides: Partial<Extract<McpConnector.Target, { readonly transport: "stdio" }>>,
) =>
  Effect.gen(function* () {
    const host = Layer.succeed(Host.Host, {
      environment: {
        PATH: `${bin}${delimiter}${process.env["PATH"]}`,
        DOCKER_HOST: "unix:///run/docker.sock",
        CANARY: "service",
      },
      platform: process.platform,
      node: { path: process.execPath, version: "v24.1.0" },
    });
    const layer = Layer.provideMerge(Connector.layer, World.spawner(dataDir, "docker"));
    yield* Effect.gen(function* () {
      const connector = yield* McpConnector.McpConnector;
      const target = { ...Fixture.target(dataDir, []), ...overrides };
      const scope = yield* Scope.make();
      yield* Scope.provide(connector.connect(target, { timeoutMillis: 20_000 }), scope);
      yield* Scope.close(scope, Exit.void);
    }).pipe(Effect.provide(Layer.provide(layer, host)));
  });

const { defaults } = Sandbox;
const { limits } = ProcessSpawner;

/** The command lines of the calls to `docker`, with a stable container name. */
const linesIn = (log: string) =>
  readFileSync(log, "utf8")
    .trim()
    .replaceAll(/qm-[\w-]{36}/g, "qm-ID")
    .split("\n");

const folderOf = (dataDir: string) => join(dataDir, "servers", "fixture", "shared");

const opening = (network: string) =>
  `run --rm --interactive --init --name qm-ID --network ${network} --read-only --cap-drop ALL` +
  ` --security-opt no-new-privileges --user ${process.getuid?.()}:${process.getgid?.()}` +
  ` --memory ${limits.memoryBytes} --memory-swap ${limits.memoryBytes} --oom-score-adj 500 --pids-limit ${limits.processes}` +
  ` --ulimit nofile=${limits.openFiles}:${limits.openFiles}` +
  ` --ulimit fsize=${limits.fileBytes}:${limits.fileBytes} --ulimit core=0:0` +
  " --tmpfs /tmp:rw,nosuid,nodev,size=256m";

const linux = { concurrent: true, skip: process.platform === "win32" };

describe("the sandbox docker", linux, () => {
  it.live(
    "[sandbox.docker] a JavaScript package runs in an image of Node.js, with its own mounts",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* World.folder;
        const bin = join(dataDir, "bin");
        const log = fakeDocker(bin);
        const folder = folderOf(dataDir);
        yield* start(dataDir, bin, {
          runtime: "node",
          isLocal: false,
          isOwn: false,
          args: ["/packages/notes/main.js", "--level", "1"].map((arg) => Redacted.make(arg)),
          files: ["/packages/notes"],
          env: {
            NOTES_KEY: Redacted.make("secret-value"),
            DOCKER_HOST: Redacted.make("tcp://elsewhere"),
          },
          sandbox: { ...defaults, network: false, read: ["/srv/read"], write: ["/srv/write"] },
        });
        const [version, run = "", remove] = linesIn(log);
        assert.strictEqual(version, "version --format {{.Server.Version}}");
        assert.strictEqual(remove, "rm --force qm-ID");
        assert.strictEqual(
          run,
          `${opening("none")}` +
            " --mount type=bind,source=/packages/notes,target=/packages/notes,readonly" +
            " --mount type=bind,source=/srv/read,target=/srv/read,readonly" +
            " --mount type=bind,source=/srv/write,target=/srv/write" +
            ` --mount type=bind,source=${folder},target=${folder}` +
            ` --workdir ${folder} --env HOME=${folder} --env-file /dev/fd/3` +
            " --entrypoint node node:24-slim /packages/notes/main.js --level 1",
        );
        const environment = readFileSync(join(bin, "environment"), "utf8");
        assert.include(environment, "DOCKER_HOST=unix:///run/docker.sock");
        assert.notInclude(environment, "CANARY");
        assert.notInclude(environment, "NOTES_KEY");
        const variables = readFileSync(join(bin, "variables"), "utf8").split("\n");
        assert.includeMembers(variables, ["NOTES_KEY=secret-value", "DOCKER_HOST=tcp://elsewhere"]);
        assert.notInclude(variables.join("\n"), "CANARY");
      }).pipe(Effect.scoped),
  );

  it.live("[sandbox.docker] a Python package runs on the image's Python of the same version", () =>
    Effect.gen(function* () {
      const dataDir = yield* World.folder;
      const bin = join(dataDir, "bin");
      const log = fakeDocker(bin);
      const venv = join(dataDir, "packages", "venv");
      const python = join(venv, "bin", "python");
      mkdirSync(join(venv, "bin"), { recursive: true });
      writeFileSync(join(venv, "pyvenv.cfg"), "home = /usr/bin\nversion = 3.12.4\n");
      writeFileSync(python, "", { mode: 0o700 });
      yield* start(dataDir, bin, {
        runtime: "pipx",
        isLocal: false,
        isOwn: false,
        command: python,
        args: [Redacted.make(join(venv, "bin", "tool"))],
        env: {},
        files: [venv, "/usr/bin"],
        sandbox: defaults,
      });
      const [, run = ""] = linesIn(log);
      const folder = folderOf(dataDir);
      assert.strictEqual(
        run,
        `${opening("bridge")} --mount type=bind,source=${venv},target=${venv},readonly` +
          ` --mount type=bind,source=${folder},target=${folder}` +
          ` --workdir ${folder} --env HOME=${folder} --env-file /dev/fd/3` +
          ` --env PYTHONPATH=${venv}/lib/python3.12/site-packages` +
          ` --entrypoint python3 python:3.12-slim ${venv}/bin/tool`,
      );
    }).pipe(Effect.scoped),
  );

  it.live(
    "[sandbox.docker.refused] a value with a line break is refused, because docker reads lines",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* World.folder;
        const bin = join(dataDir, "bin");
        fakeDocker(bin);
        const env = { NOTES_KEY: Redacted.make("secret\nLD_PRELOAD=./evil.so") };
        const error = yield* Effect.flip(start(dataDir, bin, { env, sandbox: defaults }));
        assert.include(String(error), "the value of NOTES_KEY has a character");
        assert.notInclude(String(error), "secret");
      }).pipe(Effect.scoped),
  );

  it.live(
    "[sandbox.missing] a sandbox that the host does not have is reported with the reason",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* World.folder;
        const bin = join(dataDir, "bin");
        fakeDocker(bin);
        writeFileSync(
          join(bin, "docker"),
          "#!/bin/sh\necho 'Cannot connect to the Docker daemon.' >&2; exit 1",
        );
        const error = yield* Effect.flip(start(dataDir, bin, { sandbox: defaults }));
        assert.deepInclude(error, {
          reason: "runtimeMissing",
          message:
            "The sandbox docker is not available: Cannot connect to the Docker daemon. Install it on this host, or choose another sandbox.",
        });
      }).pipe(Effect.scoped),
  );
});
