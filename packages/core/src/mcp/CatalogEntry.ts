import { Schema } from "effect";
import { withDefault } from "../internal/Defaults.ts";
import * as Text from "../Text.ts";
import { StdioManifest, VariableName } from "./StdioManifest.ts";

export { StdioManifest, VariableName };

/** A curated server that can be installed. */

export const Category = Schema.Literals([
  "database",
  "saas",
  "search",
  "cloud",
  "dev",
  "productivity",
]);
export type Category = typeof Category.Type;

export const Transport = Schema.Literals(["stdio", "http", "sse"]);
export type Transport = typeof Transport.Type;

export const Runtime = Schema.Literals(["node", "python", "pipx", "none"]);
export type Runtime = typeof Runtime.Type;

/** The source of an entry: this package, a file of the host, or the API. */
export const Source = Schema.Literals(["builtin", "file", "own"]);
export type Source = typeof Source.Type;

/** A remote server. In `url` and `headers`, `${NAME}` is replaced by the value of that variable. */
export const RemoteManifest = Schema.Struct({
  url: Schema.String.check(
    Schema.isPattern(/^https?:\/\/[^\s/?#$]\S*$/, { expected: "an http or https URL" }),
  ).annotateKey({
    description:
      "The server's http or https URL. `${NAME}` is replaced by the value of that variable.",
  }),
  headers: withDefault(
    Schema.Record(Schema.String, Schema.String).annotateKey({
      description:
        "The headers of every request. `${NAME}` is replaced by the value of that variable.",
    }),
    {},
  ),
});
export interface RemoteManifest extends Schema.Schema.Type<typeof RemoteManifest> {}

/** A variable that the server reads. */
export const EnvVar = Schema.Struct({
  name: VariableName.annotateKey({
    description: "A letter or underscore, then letters, digits and underscores; up to 128 in all.",
  }),
  description: Schema.String.annotateKey({
    description: "Describes the value to the person who enters it.",
  }),
  required: Schema.Boolean.annotateKey({ description: "Whether the server needs a value." }),
  secret: Schema.Boolean.annotateKey({
    description: "Whether a form has to hide the value. Every value is stored encrypted.",
  }),
  default: withDefault(
    Schema.NullOr(Schema.String).annotateKey({
      description: "The default value; null if there is none.",
    }),
    null,
  ),
}).annotate({ identifier: "EnvVar", description: "A variable that a server reads." });
export interface EnvVar extends Schema.Schema.Type<typeof EnvVar> {}

/** Letters, digits, dashes: the name of an installed server is derived from it. */
const EntryId = Schema.String.check(
  Schema.isPattern(/^[a-z0-9][a-z0-9-]{0,31}$/, {
    expected: "1 to 32 characters of a-z 0-9 -, not starting with -",
  }),
);

const summary = {
  id: EntryId.annotateKey({ description: "1 to 32 characters of `a-z 0-9 -`." }),
  name: Text.between(1, 128).annotateKey({ description: "The display name." }),
  description: Text.between(1, 2_048).annotateKey({ description: "The purpose of the server." }),
  category: Category.annotateKey({
    description: "The kind of service that the server gives access to.",
  }),
  transport: Transport.annotateKey({
    description:
      "`stdio` for a program on the host, `http` (Streamable HTTP) or `sse` for a remote server.",
  }),
  runtime: Runtime.annotateKey({
    description:
      "The runtime that the program needs; `none` for a remote server or a local program.",
  }),
  verified: withDefault(
    Schema.Boolean.annotateKey({
      description:
        "Whether the entry was vetted: its server is published by the vendor of the service or by the maintainers of MCP.",
    }),
    false,
  ),
  source: withDefault(
    Source.annotateKey({
      description:
        "The source of the entry: `builtin`, a `file` of the host, or `own` for an entry that an Owner created. The service sets it.",
    }),
    "own",
  ),
  installInstructions: Text.between(1, 8_192).annotateKey({
    description: "Steps for a person to take before the installation.",
  }),
};

/** An entry in the form of the catalog's list. */
export const CatalogEntrySummary = Schema.Struct(summary).annotate({
  identifier: "CatalogEntrySummary",
  description: "An entry of the catalog, without its manifest.",
});
export interface CatalogEntrySummary extends Schema.Schema.Type<typeof CatalogEntrySummary> {}

const detail = {
  ...summary,
  homepage: withDefault(
    Schema.NullOr(Schema.String).annotateKey({
      description: "The server's website; null if it has none.",
    }),
    null,
  ),
  manifest: Schema.Union([StdioManifest, RemoteManifest]).annotateKey({
    description: "The program to run, or the remote server to connect to.",
  }),
  envVars: withDefault(
    Schema.Array(EnvVar).annotateKey({
      description: "The variables that the server reads.",
    }),
    [],
  ),
};

/** An entry with all fields. */
export const CatalogEntry = Schema.Struct(detail).annotate({
  identifier: "CatalogEntry",
  description: "A server in the catalog, which can be installed.",
});
export interface CatalogEntry extends Schema.Schema.Type<typeof CatalogEntry> {}

/** An entry of this package. */
export type BuiltIn = Omit<CatalogEntry, "source">;

/**
 * The same entries as a union by transport, so that an error refers to the manifest of the entry's
 * own transport.
 */
export const WrittenEntry = Schema.Union([
  Schema.Struct({
    ...detail,
    transport: Schema.Literal("stdio").annotateKey({ description: "A program on the host." }),
    manifest: StdioManifest.annotateKey({ description: "The program to run." }),
  }),
  Schema.Struct({
    ...detail,
    transport: Schema.Literals(["http", "sse"])
      .annotate({ expected: "stdio, http or sse" })
      .annotateKey({ description: "`http` (Streamable HTTP) or `sse`: a remote server." }),
    manifest: RemoteManifest.annotateKey({ description: "The remote server to connect to." }),
  }),
]);

/** The entry without its manifest, in the form of the catalog's list. */
export const summarize = (entry: CatalogEntry): CatalogEntrySummary => ({
  id: entry.id,
  name: entry.name,
  description: entry.description,
  category: entry.category,
  transport: entry.transport,
  runtime: entry.runtime,
  verified: entry.verified,
  source: entry.source,
  installInstructions: entry.installInstructions,
});

export const isStdio = (manifest: StdioManifest | RemoteManifest): manifest is StdioManifest =>
  "command" in manifest;

const placeholder = /\$\{([^}]*)\}/g;

/** The variables that a text refers to. */
export const variablesIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(placeholder)].map(([, name = ""]) => name);

/** The text with every `${NAME}` replaced; empty for a variable without a value. */
export const substitute = (text: string, valueOf: (name: string) => string | undefined): string =>
  text.replace(placeholder, (_, name: string) => valueOf(name) ?? "");

/** Secret variables that a program gets as arguments. Every user of a host can list arguments. */
export const secretArguments = ({ envVars, manifest }: CatalogEntry): ReadonlyArray<string> => {
  const used = new Set(isStdio(manifest) ? manifest.args.flatMap(variablesIn) : []);
  return envVars.filter(({ name, secret }) => secret && used.has(name)).map(({ name }) => name);
};

/** The fixed variables of a program whose home folder is `home`. */
export const fixedVariables = (
  manifest: StdioManifest,
  home: string,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(manifest.env).map(([name, value]) => [
      name,
      value.replaceAll("${HOME}", () => home),
    ]),
  );
