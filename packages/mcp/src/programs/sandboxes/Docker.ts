import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ProcessSpawner } from "@quartermaster/core";
import { Effect, Redacted } from "effect";
import { Programs } from "../packages/Programs.ts";
import * as Environment from "../processes/Environment.ts";
import { Host, ownUser } from "../processes/Host.ts";
import * as Choice from "./Choice.ts";
import { wantedScore } from "./Limited.ts";
import * as Probing from "./Probing.ts";
import { type Confined, inTheClear, type Launcher, withoutKernel } from "./Sandboxes.ts";

const { SpawnError } = ProcessSpawner;

/** The image, program and additional variables of the container. */
interface Inside {
  readonly image: string;
  readonly entrypoint: string;
  readonly args: Confined["args"];
  readonly env: Readonly<Record<string, string>>;
  /** The program's files, mounted in the container. */
  readonly files: ReadonlyArray<string>;
}

/** Runs a program of a virtual environment on the image's Python of the same version. */
const pythonInside = Effect.fnUntraced(function* ({ args, command }: Confined) {
  const venv = dirname(dirname(command));
  const config = yield* Effect.orElseSucceed(
    Effect.tryPromise(() => readFile(join(venv, "pyvenv.cfg"), "utf8")),
    () => "",
  );
  const [, version] = /^version(?:_info)?\s*=\s*(\d+\.\d+)/m.exec(config) ?? [];
  if (version === undefined) {
    return yield* new SpawnError({ message: "its virtual environment has no version" });
  }
  const PYTHONPATH = join(venv, "lib", `python${version}`, "site-packages");
  return {
    image: `python:${version}-slim`,
    entrypoint: "python3",
    args,
    env: { PYTHONPATH },
    files: [venv],
  };
});

const inside = (
  program: Confined,
  nodeVersion: string,
): Effect.Effect<Inside, ProcessSpawner.SpawnError> => {
  const { args, command, files, isLocal } = program;
  const [, major = "24"] = /^v?(\d+)/.exec(nodeVersion) ?? [];
  const node = { image: `node:${major}-slim`, entrypoint: "node", env: {}, files };
  if (Choice.isNode(command)) return Effect.succeed({ ...node, args });
  if (Choice.isScript(command)) {
    return Effect.succeed({ ...node, args: [command, ...args], files: [command, ...files] });
  }
  if (/python3?$/.test(command) && !isLocal) return pythonInside(program);
  return Effect.succeed({
    image: program.runtime === "node" ? node.image : "debian:stable-slim",
    entrypoint: command,
    args,
    env: {},
    files: isLocal ? [command, ...files] : files,
  });
};

const mount = (path: string, isReadOnly: boolean) => [
  "--mount",
  `type=bind,source=${path},target=${path}${isReadOnly ? ",readonly" : ""}`,
];

/**
 * Passes file descriptor 3 to docker as a pipe. The descriptor is a socket, which /dev/fd cannot
 * open.
 */
const withVariables = 'exec 4<&0; cat <&3 | exec "$@" 3<&0 <&4 4<&-';

/**
 * Runs programs in containers, with one image per runtime. The server's files, its folder and the
 * paths that its entry declares are mounted at their host paths. `docker` reads the variables from
 * a file, so that none of them configures docker and no user of the host can list them.
 */
export const make = Effect.gen(function* () {
  const programs = yield* Programs;
  const { environment, node } = yield* Host;

  const detect = yield* Probing.remembered(
    Effect.gen(function* () {
      const docker = yield* programs.find("docker");
      if (docker === null) return { detected: false, reason: "The program docker was not found." };
      const format = ["version", "--format", "{{.Server.Version}}"];
      const { ok, text } = yield* Probing.run(docker, format);
      return ok ? { detected: true, version: text } : { detected: false, reason: text };
    }),
  );

  const wrap: Launcher["wrap"] = Effect.fnUntraced(function* (program, limits) {
    const docker = yield* programs.find("docker");
    if (docker === null) {
      return yield* new SpawnError({ message: "the program docker was not found" });
    }
    const { folder, sandbox } = program;
    const { HOME: _, PATH: __, ...own } = program.env;
    const variables = yield* inTheClear(own, /[\0\r\n]/);
    const { args, entrypoint, env, files, image } = yield* inside(program, node.version);
    const read = [...files, ...withoutKernel(sandbox.read)];
    const write = [...withoutKernel(sandbox.write), folder];
    const unmountable = [...read, ...write].find((path) => /[,"]/.test(path));
    if (unmountable !== undefined) {
      return yield* new SpawnError({ message: `docker cannot mount the path ${unmountable}` });
    }
    const container = `qm-${randomUUID()}`;
    return {
      command: "/bin/sh",
      args: [
        ["-c", withVariables, "sh", docker],
        ["run", "--rm", "--interactive", "--init", "--name", container],
        ["--network", sandbox.network ? "bridge" : "none"],
        ["--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"],
        ["--user", `${ownUser.uid}:${ownUser.gid}`],
        ["--memory", `${limits.memoryBytes}`, "--memory-swap", `${limits.memoryBytes}`],
        ["--oom-score-adj", `${wantedScore}`],
        ["--pids-limit", `${limits.processes}`],
        ["--ulimit", `nofile=${limits.openFiles}:${limits.openFiles}`],
        ["--ulimit", `fsize=${limits.fileBytes}:${limits.fileBytes}`, "--ulimit", "core=0:0"],
        ["--tmpfs", "/tmp:rw,nosuid,nodev,size=256m"],
        read.flatMap((path) => mount(path, true)),
        write.flatMap((path) => mount(path, false)),
        ["--workdir", folder, "--env", `HOME=${folder}`],
        ["--env-file", "/dev/fd/3"],
        Object.entries(env).flatMap(([name, value]) => ["--env", `${name}=${value}`]),
        ["--entrypoint", entrypoint, image, ...args],
      ].flat(),
      env: Environment.select(environment, /^(?:HOME|PATH|DOCKER_\w+)$/),
      private: Redacted.make(variables.map(([name, value]) => `${name}=${value}\n`).join("")),
      cwd: folder,
      container,
    };
  });

  return { detect, wrap } satisfies Launcher;
});
