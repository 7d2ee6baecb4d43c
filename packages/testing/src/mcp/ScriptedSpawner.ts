import { Errors, ProcessSpawner, type Sandbox } from "@quartermaster/core";
import { Context, Effect, Layer } from "effect";

/** The sandboxes of the scripted host. No program starts: connections are scripted. */
export interface Script {
  setting: string;
  reports: ProcessSpawner.SandboxReports;
  /** Selects the sandbox of a program; null if the host does not have it. Default: `direct`. */
  choose: (need: Sandbox.Need) => string | null;
}

export class ScriptedSpawner extends Context.Service<ScriptedSpawner, Script>()(
  "@quartermaster/testing/mcp/ScriptedSpawner",
) {
  /** `ProcessSpawner` without processes. */
  static readonly layer: Layer.Layer<ScriptedSpawner | ProcessSpawner.ProcessSpawner> =
    Layer.effectContext(
      Effect.sync(() => {
        const script: Script = {
          setting: "auto",
          reports: { direct: { detected: true } },
          choose: () => "direct",
        };
        const spawner = ProcessSpawner.ProcessSpawner.of({
          get setting() {
            return script.setting;
          },
          sandboxes: Effect.sync(() => script.reports),
          sandboxFor: (need) =>
            Effect.suspend(() => {
              const name = script.choose(need);
              return name === null
                ? new Errors.SandboxMissing({
                    sandbox: script.setting,
                    explanation: "it is not detected.",
                  })
                : Effect.succeed(name);
            }),
          start: () =>
            new ProcessSpawner.SpawnError({ message: "the scripted host starts no program" }),
        });
        return Context.make(ScriptedSpawner, script).pipe(
          Context.add(ProcessSpawner.ProcessSpawner, spawner),
        );
      }),
    );
}
