import {
  Context,
  Effect,
  type PlatformError,
  type Redacted,
  Schema,
  type Scope,
  Stream,
} from "effect";
import type { ChildProcessSpawner } from "effect/process";
import type { SandboxMissing } from "./McpErrors.ts";
import { RuntimeProbe, RuntimeReport } from "./RuntimeProbe.ts";
import type { Need } from "./Sandbox.ts";

/** A program to start, without a shell, and the files and permissions that it gets. */
export interface Program extends Need {
  readonly command: string;
  readonly args: ReadonlyArray<Redacted.Redacted<string>>;
  /** Variables in addition to the minimal environment. */
  readonly env: Readonly<Record<string, Redacted.Redacted<string>>>;
  /** Its home and working directory, which it may write. Its temporary files are in there. */
  readonly folder: string;
  /** The files and folders of the program, which it may read. */
  readonly files: ReadonlyArray<string>;
}

/** The limits of a program, as far as the system can enforce them. */
export interface Limits {
  /** Bytes of data of one process, or of all its processes. */
  readonly memoryBytes: number;
  /** Processes and threads. */
  readonly processes: number;
  /** Open files of one process. */
  readonly openFiles: number;
  /** Bytes of one file that it writes. */
  readonly fileBytes: number;
}

/**
 * Each JavaScript thread of Node.js counts 0.55 GiB of data before it runs a line; the largest catalog
 * entry, which has four, counts 2.8 GiB.
 */
export const limits: Limits = {
  memoryBytes: 4 * 1024 ** 3,
  processes: 512,
  openFiles: 4_096,
  fileBytes: 1024 ** 3,
};

/** A program could not be started, or a pipe broke. The message completes "could not be started: ...". */
export class SpawnError extends Schema.TaggedError<SpawnError>()("SpawnError", {
  message: Schema.String,
}) {}

/** A running program. */
export interface Process {
  readonly stdout: Stream.Stream<Uint8Array, SpawnError>;
  readonly stderr: Stream.Stream<Uint8Array, SpawnError>;
  /** Completes when the program has exited: the exit code, or the signal that stopped it. */
  readonly exit: Effect.Effect<{ readonly code: number | null; readonly signal: string | null }>;
  /** Stops the program and its children. Completes when they have exited. */
  readonly kill: Effect.Effect<void>;
}

const signalIn = (error: PlatformError.PlatformError): string | null => {
  const [, signal] = /signal: '(\w+)'/.exec(String(error.cause)) ?? [];
  return signal ?? null;
};

const reasonIn = ({ reason }: PlatformError.PlatformError): string => {
  if (reason._tag === "NotFound") return "the program or its folder was not found";
  if (reason._tag === "PermissionDenied") return "permission denied";
  return reason._tag === "BadArgument" ? (reason.description ?? "bad arguments") : reason._tag;
};

/** The reason why Effect's `ChildProcessSpawner` failed. */
export const failed = (error: PlatformError.PlatformError) =>
  new SpawnError({ message: reasonIn(error) });

/** A process of Effect's `ChildProcessSpawner`, which its scope stops. */
export const ofHandle = (handle: ChildProcessSpawner.ChildProcessHandle): Process => ({
  stdout: Stream.mapError(handle.stdout, failed),
  stderr: Stream.mapError(handle.stderr, failed),
  exit: Effect.match(handle.exitCode, {
    onSuccess: (code) => ({ code: Number(code), signal: null }),
    onFailure: (error) => ({ code: null, signal: signalIn(error) }),
  }),
  kill: Effect.ignore(handle.kill({ forceKillAfter: "5 seconds" })),
});

export interface StartOptions {
  readonly limits: Limits;
  /** The input of the program on stdin. */
  readonly input: Stream.Stream<Uint8Array>;
}

/** Whether the host has a sandbox. A sandbox that is not detected has a reason. */
export const SandboxReport = Schema.Struct({
  detected: Schema.Boolean.annotateKey({
    description: "Whether a program can be started in the sandbox.",
  }),
  version: Schema.optionalKey(Schema.String).annotateKey({ description: "Its version." }),
  reason: Schema.optionalKey(Schema.String).annotateKey({
    description: "The reason why no program can be started in it.",
  }),
}).annotate({ identifier: "SandboxReport", description: "Whether the host has a sandbox." });
export interface SandboxReport extends Schema.Schema.Type<typeof SandboxReport> {}

/** The runtimes and sandboxes of the host. */
export const HostReport = Schema.Struct({
  ...RuntimeReport.fields,
  sandbox: Schema.String.annotateKey({
    description: "The configured sandbox; with `auto` the service chooses one for each server.",
  }),
  sandboxes: Schema.Record(Schema.String, SandboxReport).annotateKey({
    description: "The sandboxes by name: `direct`, `node`, `bubblewrap` and `docker`.",
  }),
}).annotate({
  identifier: "HostReport",
  description:
    "The runtimes and sandboxes of the host. A runtime or sandbox that is not detected has neither `version` nor `path`.",
});
export interface HostReport extends Schema.Schema.Type<typeof HostReport> {}

export type SandboxReports = Readonly<Record<string, SandboxReport>>;

interface Shape {
  /** The sandbox that the service is configured for; `auto` chooses by program. */
  readonly setting: string;
  /** The sandboxes by name. */
  readonly sandboxes: Effect.Effect<SandboxReports>;
  /**
   * The name of the sandbox in which a program with these needs runs. Fails if the host does not
   * have it.
   */
  sandboxFor(need: Need): Effect.Effect<string, SandboxMissing>;
  /**
   * Starts a program, which lives as long as the scope. When the scope closes, it and its children are
   * stopped.
   */
  start(
    program: Program,
    options: StartOptions,
  ): Effect.Effect<Process, SpawnError | SandboxMissing, Scope.Scope>;
}

/** The result of both probes. A bundle that only needs the schemas here leaves it out. */
export const hostReport = /* #__PURE__ */ Effect.gen(function* () {
  const probe = yield* RuntimeProbe;
  const { sandboxes, setting } = yield* ProcessSpawner;
  const [runtimes, reports] = yield* Effect.all([probe.detect, sandboxes], {
    concurrency: "unbounded",
  });
  const report: HostReport = { ...runtimes, sandbox: setting, sandboxes: reports };
  return report;
});

/** Port: starts the programs of MCP servers, in a sandbox. */
export class ProcessSpawner extends Context.Service<ProcessSpawner, Shape>()(
  "@quartermaster/core/mcp/ProcessSpawner",
) {}

/** A spawner with one sandbox of the host, in which every program runs. */
export const only = (name: string, start: Shape["start"]): Shape => ({
  setting: name,
  sandboxes: Effect.succeed({ [name]: { detected: true } }),
  sandboxFor: () => Effect.succeed(name),
  start,
});
