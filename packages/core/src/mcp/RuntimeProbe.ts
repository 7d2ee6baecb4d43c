import { Context, type Effect, Schema } from "effect";

/** What the host can run. What is not detected has neither version nor path. */
export const RuntimeReport = Schema.Struct({
  node: Schema.Struct({
    detected: Schema.Boolean,
    version: Schema.optionalKey(Schema.String),
    path: Schema.optionalKey(Schema.String),
  }),
  python: Schema.Struct({
    detected: Schema.Boolean,
    version: Schema.optionalKey(Schema.String),
  }),
  pipx: Schema.Struct({ detected: Schema.Boolean }),
}).annotate({ identifier: "RuntimeReport" });
export interface RuntimeReport extends Schema.Schema.Type<typeof RuntimeReport> {}

/** Port: which runtimes the host has. */
export class RuntimeProbe extends Context.Service<
  RuntimeProbe,
  {
    /** Looks within a few seconds; an answer may be some seconds old. */
    readonly detect: Effect.Effect<RuntimeReport>;
  }
>()("@quartermaster/core/mcp/RuntimeProbe") {}
