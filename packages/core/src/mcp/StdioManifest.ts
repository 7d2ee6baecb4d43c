import { Schema } from "effect";
import { withDefault } from "../internal/Defaults.ts";
import * as Text from "../Text.ts";
import { ExactVersion, Integrity, LockedAt, PackageName } from "./PackageFields.ts";
import { Sandbox } from "./Sandbox.ts";

/** The name of an environment variable. */
export const VariableName = Schema.String.check(
  Schema.isPattern(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, {
    expected: "a name of letters, digits and underscores",
  }),
);

/** A program of this host. `${NAME}` in `args` is replaced by that variable's value. */
export const StdioManifest = Schema.Struct({
  package: withDefault(
    Schema.NullOr(PackageName).annotateKey({
      description:
        "The package that contains the program; null for a program that is already on the host.",
    }),
    null,
  ),
  version: withDefault(
    Schema.NullOr(ExactVersion).annotateKey({
      description: "The exact version of the package; null if there is no package.",
    }),
    null,
  ),
  integrity: withDefault(
    Schema.NullOr(Integrity).annotateKey({
      description:
        "The `sha512-...` that the registry publishes for the package; null if it is not checked.",
    }),
    null,
  ),
  lockedAt: withDefault(
    Schema.NullOr(LockedAt).annotateKey({
      description:
        "A date or a timestamp: dependencies are resolved as of then, by npm and by pip 26 or newer. Null: as of the preparation; for an entry that an Owner creates, as of its creation.",
    }),
    null,
  ),
  command: Text.between(1, 4_096).annotateKey({
    description: "The program of the package, or a local program.",
  }),
  args: withDefault(
    Schema.Array(Schema.String).annotateKey({
      description: "The program's arguments. `${NAME}` is replaced by the value of that variable.",
    }),
    [],
  ),
  env: withDefault(
    Schema.Record(VariableName, Schema.String).annotateKey({
      description: "Fixed variables. `${HOME}` is the server's own home folder.",
    }),
    {},
  ),
  isolation: withDefault(
    Schema.Literals(["shared", "agent"]).annotateKey({
      description:
        "`shared`: one process for all agents. `agent`: one process per agent, for servers that hold state of an agent.",
    }),
    "shared",
  ),
  state: withDefault(
    Schema.Boolean.annotateKey({
      description:
        "Whether the process holds state that all agents share: with isolation `shared`, one node runs it for all nodes.",
    }),
    false,
  ),
  sandbox: withDefault(
    Schema.NullOr(Sandbox).annotateKey({
      description:
        "The files and permissions of the program, in addition to its package and its own folder. Null: only the network, except that a local program runs without a sandbox under the sandbox setting `auto`.",
    }),
    null,
  ),
});
export interface StdioManifest extends Schema.Schema.Type<typeof StdioManifest> {}
