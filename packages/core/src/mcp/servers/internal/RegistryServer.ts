import { Schema } from "effect";
import { reachOfHost } from "../../../Addresses.ts";
import type { EnvVar, WrittenEntry } from "../../CatalogEntry.ts";
import { isLoaderVariable } from "../../LoaderVariables.ts";
import { ExactVersion, PackageName } from "../../PackageFields.ts";
import * as Inputs from "./RegistryInputs.ts";

/** A `server.json` of the official MCP registry, and the catalog entry that it becomes. */

const Transport = Schema.Struct({
  type: Schema.String,
  url: Schema.optionalKey(Schema.String),
  headers: Schema.optionalKey(Schema.Array(Inputs.Named)),
  variables: Schema.optionalKey(Schema.Record(Schema.String, Inputs.Input)),
});
type Transport = typeof Transport.Type;

const Package = Schema.Struct({
  registryType: Schema.String,
  registryBaseUrl: Schema.optionalKey(Schema.String),
  identifier: Schema.String,
  version: Schema.optionalKey(Schema.String),
  fileSha256: Schema.optionalKey(Schema.String),
  transport: Transport,
  runtimeArguments: Schema.optionalKey(Schema.Array(Inputs.Argument)),
  packageArguments: Schema.optionalKey(Schema.Array(Inputs.Argument)),
  environmentVariables: Schema.optionalKey(Schema.Array(Inputs.Named)),
});
type Package = typeof Package.Type;

/** Other properties, such as icons, are ignored. */
export const RegistryServer = Schema.Struct({
  name: Schema.NonEmptyString,
  title: Schema.optionalKey(Schema.String),
  description: Schema.optionalKey(Schema.String),
  version: Schema.NonEmptyString,
  websiteUrl: Schema.optionalKey(Schema.String),
  repository: Schema.optionalKey(Schema.Struct({ url: Schema.optionalKey(Schema.String) })),
  packages: Schema.optionalKey(Schema.Array(Package)),
  remotes: Schema.optionalKey(Schema.Array(Transport)),
});
export interface RegistryServer extends Schema.Schema.Type<typeof RegistryServer> {}

/** The way in which an entry starts or reaches the server. */
type Way = Pick<typeof WrittenEntry.Encoded, "transport" | "runtime" | "manifest"> & {
  readonly envVars: ReadonlyArray<EnvVar>;
  readonly notes: ReadonlyArray<string>;
};

/**
 * A way to start or reach the server, or the reason why it is not usable, by its path in the
 * document.
 */
interface Candidate {
  readonly path: string;
  readonly way: Way | string;
}

const registries: Readonly<
  Record<string, { readonly url: string; readonly runtime: "node" | "python" }>
> = {
  npm: { url: "https://registry.npmjs.org", runtime: "node" },
  pypi: { url: "https://pypi.org", runtime: "python" },
};

const isPackageName = Schema.is(PackageName);
const isExactVersion = Schema.is(ExactVersion);

/** Options of npx that have no effect here. */
const isConsent = ({ name, value }: Inputs.Argument): boolean =>
  ["-y", "--yes"].includes(name ?? value ?? "");

const ofPackage = (given: Package): Way | string => {
  const { identifier, registryBaseUrl, registryType, transport, version } = given;
  const registry = Object.hasOwn(registries, registryType) ? registries[registryType] : undefined;
  if (registry === undefined) {
    return `only npm and pypi packages can be installed, and this one is of the type ${registryType.slice(0, 40)}`;
  }
  if (registryBaseUrl !== undefined && registryBaseUrl.replace(/\/+$/, "") !== registry.url) {
    return `only packages of ${registry.url} can be installed`;
  }
  if (!isPackageName(identifier)) return "its identifier is not the name of a package";
  if (!isExactVersion(version)) return "it names no exact version";
  if (transport.type !== "stdio") return "only packages with the transport stdio can be started";
  if (given.fileSha256 !== undefined) return "its fileSha256 cannot be checked";
  const args = Inputs.args(given.packageArguments ?? []);
  const env = Inputs.environment(given.environmentVariables ?? []);
  const loader = given.environmentVariables?.find(({ name }) => isLoaderVariable(name));
  if (loader !== undefined) {
    return `its variable ${loader.name} makes a loader or a runtime run other code`;
  }
  const hasOptions = given.runtimeArguments?.some((argument) => !isConsent(argument)) ?? false;
  return {
    transport: "stdio",
    runtime: registry.runtime,
    manifest: {
      package: identifier,
      version,
      command: identifier.replace(/^.*\//, ""),
      args: args.texts,
      env: env.fixed,
    },
    envVars: Inputs.merged([...args.variables, ...env.variables]),
    notes: [
      ...leftOut(args.omitted),
      ...(hasOptions ? ["Its runtimeArguments are not used."] : []),
    ],
  } as const;
};

const transports: Readonly<Record<string, "http" | "sse">> = {
  "streamable-http": "http",
  sse: "sse",
};

const ofRemote = ({ headers = [], type, url, variables }: Transport): Way | string => {
  const transport = Object.hasOwn(transports, type) ? transports[type] : undefined;
  if (transport === undefined) return "only the types streamable-http and sse can be used";
  if (url === undefined) return "it has no url";
  const filled = Inputs.template(url, variables);
  if (/^[^/]*\/\/[^/?#]*\$\{/.test(filled.text)) return "its url has a variable in the host";
  const address = URL.parse(filled.text);
  if (address === null) return "its url is not a URL";
  if (address.username !== "" || address.password !== "") return "its url has a name or a password";
  if ((reachOfHost(address) ?? "public") !== "public") {
    return "its url has an address of this host or of a private network. If you mean it, create a catalog entry with it";
  }
  const wrong = headers.findIndex(({ name }) => !/^[\w!#$%&'*+.^`|~-]+$/.test(name));
  if (wrong >= 0) return `the name of its header ${wrong + 1} is not one that HTTP allows`;
  const given = Inputs.headers(headers);
  return {
    transport,
    runtime: "none",
    manifest: { url: filled.text, headers: given.texts },
    envVars: Inputs.merged([...filled.variables, ...given.variables]),
    notes: leftOut(given.omitted),
  };
};

const leftOut = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.length === 0 ? [] : [`Omitted, because they are optional: ${names.join(", ")}.`];

/** An entry without its id, with notes for a person. */
export interface Draft {
  readonly entry: Omit<typeof WrittenEntry.Encoded, "id">;
  readonly notes: ReadonlyArray<string>;
}

/**
 * The first usable package, or else the first usable remote; or the reasons why none is usable, by
 * path.
 */
export const draft = (
  server: RegistryServer,
): Draft | ReadonlyArray<{ readonly path: string; readonly message: string }> => {
  const { description = "", name, repository, title, version, websiteUrl } = server;
  const candidates: ReadonlyArray<Candidate> = [
    ...(server.packages ?? []).map((one, at) => ({ path: `packages.${at}`, way: ofPackage(one) })),
    ...(server.remotes ?? []).map((one, at) => ({ path: `remotes.${at}`, way: ofRemote(one) })),
  ];
  const chosen = candidates.find(({ way }) => typeof way !== "string");
  if (chosen === undefined || typeof chosen.way === "string") {
    return candidates.length === 0
      ? [{ path: "", message: "has neither packages nor remotes" }]
      : candidates.map(({ path, way }) => ({ path, message: `cannot be used: ${String(way)}` }));
  }
  const { notes, ...way } = chosen.way;
  const others = candidates
    .filter((candidate) => candidate !== chosen)
    .map(({ path, way }) => (typeof way === "string" ? `${path} (${way})` : path));
  const homepage = websiteUrl ?? repository?.url ?? null;
  const read = homepage === null ? "" : ` Read ${homepage} before you install it.`;
  return {
    entry: {
      ...way,
      name: (title ?? name).slice(0, 128),
      description: (description || name).slice(0, 2_048),
      category: "dev",
      homepage,
      installInstructions:
        `Imported from the server.json of ${name}, version ${version}; not vetted.${read}`.slice(
          0,
          8_192,
        ),
    } as Draft["entry"],
    notes: [
      ...notes,
      ...(others.length === 0 ? [] : [`It uses ${chosen.path} instead of ${others.join(", ")}.`]),
    ],
  };
};
