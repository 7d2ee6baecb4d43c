import { RuntimeProbe } from "@quartermaster/core";
import { Context, Effect, Layer } from "effect";

/** The runtimes of the scripted host. */
export interface Script {
  report: RuntimeProbe.RuntimeReport;
}

/** A report with every runtime available. */
const everything: RuntimeProbe.RuntimeReport = {
  node: { detected: true, version: "24.0.0", path: "/usr/bin/node" },
  python: { detected: true, version: "3.13.0" },
  pipx: { detected: true },
};

export class ScriptedRuntimes extends Context.Service<ScriptedRuntimes, Script>()(
  "@quartermaster/testing/mcp/ScriptedRuntimes",
) {
  /** `RuntimeProbe` with scripted results. Default: every runtime is available. */
  static readonly layer: Layer.Layer<ScriptedRuntimes | RuntimeProbe.RuntimeProbe> =
    Layer.effectContext(
      Effect.sync(() => {
        const script: Script = { report: everything };
        return Context.make(ScriptedRuntimes, script).pipe(
          Context.add(
            RuntimeProbe.RuntimeProbe,
            RuntimeProbe.RuntimeProbe.of({ detect: Effect.sync(() => script.report) }),
          ),
        );
      }),
    );
}
