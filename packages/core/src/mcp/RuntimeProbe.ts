import { Context, type Effect, Schema } from "effect";

/** The runtimes of the host. A runtime that is not detected has neither version nor path. */
export const RuntimeReport = Schema.Struct({
  node: Schema.Struct({
    detected: Schema.Boolean.annotateKey({ description: "Whether the host has Node.js." }),
    version: Schema.optionalKey(Schema.String).annotateKey({ description: "Its version." }),
    path: Schema.optionalKey(Schema.String).annotateKey({
      description: "The path of the program.",
    }),
  }).annotateKey({ description: "Node.js, for packages of npm." }),
  python: Schema.Struct({
    detected: Schema.Boolean.annotateKey({ description: "Whether the host has Python." }),
    version: Schema.optionalKey(Schema.String).annotateKey({ description: "Its version." }),
  }).annotateKey({ description: "Python, for packages of PyPI." }),
  pipx: Schema.Struct({
    detected: Schema.Boolean.annotateKey({ description: "Whether the host has pipx." }),
  }).annotateKey({ description: "pipx, for packages of PyPI that are programs." }),
}).annotate({
  identifier: "RuntimeReport",
  description:
    "The runtimes of the host. A runtime that is not detected has neither `version` nor `path`.",
});
export interface RuntimeReport extends Schema.Schema.Type<typeof RuntimeReport> {}

/** Port: detects the runtimes of the host. */
export class RuntimeProbe extends Context.Service<
  RuntimeProbe,
  {
    /** Looks for a few seconds at most. The result may be some seconds old. */
    readonly detect: Effect.Effect<RuntimeReport>;
  }
>()("@quartermaster/core/mcp/RuntimeProbe") {}
