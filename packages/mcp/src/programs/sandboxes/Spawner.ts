import { constants } from "node:fs";
import { access, mkdir, realpath } from "node:fs/promises";
import { isAbsolute } from "node:path";
import * as NodeServices from "@effect/platform-node/NodeServices";
import { Errors, ProcessSpawner, Sandbox, SettingNames } from "@quartermaster/core";
import { Effect, Exit, Layer, Redacted, Scope } from "effect";
import { Programs } from "../packages/Programs.ts";
import * as Environment from "../processes/Environment.ts";
import { Host } from "../processes/Host.ts";
import { Processes } from "../processes/Processes.ts";
import * as Bubblewrap from "./Bubblewrap.ts";
import * as Choice from "./Choice.ts";
import * as Direct from "./Direct.ts";
import * as Docker from "./Docker.ts";
import * as Limited from "./Limited.ts";
import * as NodePermissions from "./NodePermissions.ts";
import type { Confined, Launcher, Name, Setting } from "./Sandboxes.ts";

const { SpawnError } = ProcessSpawner;

export interface Options {
  readonly dataDir: string;
  /** Default: `auto`. */
  readonly sandbox?: Setting | undefined;
  /** Whether programs of Owners' entries may run without a sandbox. Default: false. */
  readonly allowDirect?: boolean | undefined;
}

/** Starts programs in the sandbox that the setting and the program's entry select. */
export const layer = ({ allowDirect = false, dataDir, sandbox: setting = "auto" }: Options) =>
  Layer.effect(
    ProcessSpawner.ProcessSpawner,
    Effect.gen(function* () {
      const processes = yield* Processes;
      const host = yield* Host;
      const limited = yield* Limited.make;
      const names = yield* SettingNames.SettingNames;
      const launchers: Readonly<Record<Name, Launcher>> = {
        direct: Direct.make(limited),
        node: yield* NodePermissions.make(limited, dataDir),
        bubblewrap: yield* Bubblewrap.make(limited, dataDir),
        docker: yield* Docker.make,
      };

      const policy: Choice.Policy = {
        setting,
        allowDirect,
        deniesNetwork: NodePermissions.deniesNetwork(host.node.version),
      };

      const nameFor = Effect.fnUntraced(function* (need: Sandbox.Need) {
        const [first, ...rest] = Choice.sandboxesFor(policy, need);
        const best = yield* launchers[first].detect;
        if (best.detected) return first;
        for (const name of rest) {
          if ((yield* launchers[name].detect).detected) return name;
        }
        return yield* new Errors.SandboxMissing({
          sandbox: first,
          explanation: `${best.reason ?? "it is not detected."}${hint(policy, need, names.allowDirect)}`,
        });
      });

      const start: ProcessSpawner.ProcessSpawner["Service"]["start"] = Effect.fn(
        "ProcessSpawner.start",
      )(function* (program, { input, limits }) {
        const name = yield* nameFor(program);
        yield* exists(program.command);
        yield* makeFolders(program.folder);
        const confined: Confined = {
          ...program,
          files: [...program.files, ...(yield* scriptOf(program))],
          sandbox: program.sandbox ?? Sandbox.defaults,
          env: Environment.make(host, program.folder, program.env),
        };
        const launch = yield* launchers[name].wrap(confined, limits);
        const scope = yield* Effect.acquireRelease(Scope.make(), (scope) =>
          Scope.close(scope, Exit.void),
        );
        const handle = yield* processes
          .start({ ...launch, stdin: input })
          .pipe(Effect.mapError(ProcessSpawner.failed), Scope.provide(scope));
        return { ...ProcessSpawner.ofHandle(handle), kill: Scope.close(scope, Exit.void) };
      });

      return ProcessSpawner.ProcessSpawner.of({
        setting,
        sandboxes: Effect.all(
          {
            direct: launchers.direct.detect,
            node: launchers.node.detect,
            bubblewrap: launchers.bubblewrap.detect,
            docker: launchers.docker.detect,
          },
          { concurrency: "unbounded" },
        ),
        sandboxFor: nameFor,
        start,
      });
    }),
  ).pipe(Layer.provide(Programs.layer), Layer.provide(NodeServices.layer));

/** The advice when only the rule for Owners' entries prevents a program from starting. */
const hint = (policy: Choice.Policy, need: Sandbox.Need, setting: string): string =>
  Choice.sandboxesFor({ ...policy, allowDirect: true }, need).includes("direct")
    ? ` ${setting} starts entries that were created by the API without a sandbox.`
    : "";

/** Fails if the command is a path without a file. The launcher could only report an exit code. */
const exists = (command: string) =>
  isAbsolute(command)
    ? Effect.tryPromise({
        try: () => access(command, constants.X_OK),
        catch: (error) =>
          new SpawnError({
            message:
              error instanceof Error && "code" in error && error.code === "EACCES"
                ? "permission denied"
                : "the program or its folder was not found",
          }),
      })
    : Effect.void;

const makeFolders = (folder: string) =>
  Effect.tryPromise({
    try: async () => {
      for (const path of Object.values(Environment.foldersOf(folder))) {
        await mkdir(path, { recursive: true, mode: 0o700 });
      }
    },
    catch: () => new SpawnError({ message: "its folder could not be created" }),
  });

/** The script of a local program `node SCRIPT`. Its entry does not have to declare it. */
const scriptOf = ({ args, command, isLocal }: ProcessSpawner.Program) => {
  const script = args.map(Redacted.value).find((arg) => !arg.startsWith("-")) ?? "";
  return isLocal && Choice.isNode(command) && isAbsolute(script)
    ? Effect.orElseSucceed(
        Effect.tryPromise(async () => [...new Set([script, await realpath(script)])]),
        (): ReadonlyArray<string> => [],
      )
    : Effect.succeed<ReadonlyArray<string>>([]);
};
