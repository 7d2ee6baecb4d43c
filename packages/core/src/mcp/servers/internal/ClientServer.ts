import { Option, Record, Schema } from "effect";
import { type CatalogEntry, isStdio } from "../../CatalogEntry.ts";
import { normalized, template } from "./Templates.ts";

/**
 * A server in the configuration of a client (Claude Desktop, Cursor, VS Code, Codex), and the
 * catalog entry that it matches.
 */

const Text = Schema.Union([Schema.String, Schema.Finite, Schema.Boolean]);

const Texts = Schema.optionalKey(Schema.NullOr(Schema.Record(Schema.String, Schema.NullOr(Text))));

/** `env_vars` of Codex: variables of its own environment that it passes on. */
const Program = Schema.Struct({
  command: Schema.NonEmptyString,
  args: Schema.optionalKey(Schema.NullOr(Schema.Array(Text))),
  env: Texts,
  env_vars: Schema.optionalKey(
    Schema.Array(Schema.Union([Schema.String, Schema.Struct({ name: Schema.String })])),
  ),
});

/**
 * Codex has its own names for headers, and takes the values of two of them from its environment.
 */
const Remote = Schema.Struct({
  url: Schema.NonEmptyString,
  headers: Texts,
  http_headers: Texts,
  env_http_headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  bearer_token_env_var: Schema.optionalKey(Schema.String),
});

const decodeProgram = Schema.decodeUnknownOption(Program);
const decodeRemote = Schema.decodeUnknownOption(Remote);

interface Started {
  /** The package, in the form of its registry; null for a program of the host. */
  readonly package: { readonly registry: "npm" | "python"; readonly name: string } | null;
  readonly program: string;
  readonly args: ReadonlyArray<string>;
}

/** The program or URL that a client would start or call. */
export type ClientServer =
  | ({ readonly kind: "program"; readonly env: Readonly<Record<string, string>> } & Started)
  | {
      readonly kind: "remote";
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    };

const texts = (record: Readonly<Record<string, string | number | boolean | null>> | null = {}) =>
  Object.fromEntries(
    Object.entries(record ?? {}).flatMap(([name, value]) =>
      value === null ? [] : [[name, String(value)] as const],
    ),
  );

/** Reads a server's part of a configuration. Ignores settings that only clients use. */
export const read = (input: unknown): Option.Option<ClientServer> =>
  Option.orElse(Option.map(decodeProgram(input), programOf), () =>
    Option.map(decodeRemote(input), remoteOf),
  );

/** A value that the client takes from its own environment. */
const elsewhere = (name: string) => `\${${name}}`;

const remoteOf = (remote: typeof Remote.Type): ClientServer => {
  const { bearer_token_env_var: bearer, env_http_headers: fromEnv = {}, url } = remote;
  return {
    kind: "remote",
    url,
    headers: {
      ...texts(remote.headers),
      ...texts(remote.http_headers),
      ...Record.map(fromEnv, elsewhere),
      ...(bearer !== undefined && { Authorization: `Bearer ${elsewhere(bearer)}` }),
    },
  };
};

const programOf = (program: typeof Program.Type): ClientServer => {
  const { args, command, env, env_vars: passed = [] } = program;
  const names = passed.map((variable) => (typeof variable === "string" ? variable : variable.name));
  const words = [command, ...(args ?? []).map(String)];
  const unwrapped =
    nameOf(command) === "cmd" && words[1]?.toLowerCase() === "/c" ? words.slice(2) : words;
  const started = launched(unwrapped);
  return started.package?.name === "mcp-remote" && started.args[0] !== undefined
    ? { kind: "remote", url: started.args[0], headers: headersOf(started.args) }
    : {
        kind: "program",
        ...started,
        env: { ...Record.fromEntries(names.map((name) => [name, elsewhere(name)])), ...texts(env) },
      };
};

/** The name of a program, without its folder and without Windows suffixes such as `.exe`. */
const nameOf = (command: string): string =>
  (command.split(/[\\/]/).at(-1) ?? command).replace(/\.(exe|cmd|bat)$/i, "");

/**
 * The name of each launcher, its options that take a value, and its options that name the package.
 */
interface Launcher {
  readonly words: ReadonlyArray<string>;
  readonly registry: "npm" | "python";
  readonly valued: ReadonlyArray<string>;
  readonly from: ReadonlyArray<string>;
}

const npm = {
  registry: "npm" as const,
  valued: ["--registry", "-c", "--call"],
  from: ["-p", "--package"],
};
const uv = {
  registry: "python" as const,
  valued: ["-p", "--python", "--with", "--index-url", "--index", "-i"],
  from: ["--from"],
};
const pipx = { registry: "python" as const, valued: ["--python", "--pip-args"], from: ["--spec"] };
const launchers: ReadonlyArray<Launcher> = [
  { words: ["npx"], ...npm },
  { words: ["npm", "exec"], ...npm },
  { words: ["npm", "x"], ...npm },
  { words: ["pnpm", "dlx"], ...npm },
  { words: ["pnpx"], ...npm },
  { words: ["yarn", "dlx"], ...npm },
  { words: ["bunx"], ...npm },
  { words: ["bun", "x"], ...npm },
  { words: ["uvx"], ...uv },
  { words: ["uv", "tool", "run"], ...uv },
  { words: ["pipx", "run"], ...pipx },
];

const launched = (words: ReadonlyArray<string>): Started => {
  const [command = "", ...rest] = words;
  const program = nameOf(command);
  const launcher = launchers.find((one) =>
    one.words.every((word, at) => (at === 0 ? program.toLowerCase() : words[at]) === word),
  );
  if (launcher !== undefined) return byLauncher(launcher, words.slice(launcher.words.length));
  if (program === "node" || program === "bun") {
    const at = rest.findIndex((arg) => !arg.startsWith("-"));
    const file = rest[at]?.replaceAll("\\", "/") ?? "";
    const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? [];
    const args = rest.slice(at + 1);
    return { package: name === undefined ? null : { registry: "npm", name }, program: file, args };
  }
  const [flag, module = "", ...args] = rest;
  if (/^(python|py)[\d.]*$/i.test(program) && flag === "-m") {
    return { package: { registry: "python", name: module }, program: module, args };
  }
  return { package: null, program: command, args: rest };
};

const byLauncher = (
  { from, registry, valued }: Launcher,
  words: ReadonlyArray<string>,
): Started => {
  let spec: string | undefined;
  let at = 0;
  for (; at < words.length && words[at]?.startsWith("-"); at++) {
    const [option = "", value] = (words[at] ?? "").split(/=(.*)/s, 2);
    if (from.includes(option)) spec = value ?? words[++at];
    else if (valued.includes(option) && value === undefined) at++;
    else if (option === "--") continue;
  }
  const program = words[at] ?? "";
  const args = words.slice(at + 1);
  return {
    package: { registry, name: withoutVersion(spec ?? program) },
    program,
    args: args[0] === "--" ? args.slice(1) : args,
  };
};

/**
 * `@scope/name@1.2`, `name@latest`, `name==1.2` and `name[extra]>=1` name the same package in each
 * case.
 */
const withoutVersion = (spec: string): string =>
  spec.replace(/(?<=.)@.*$/, "").replace(/\s*(\[|[=<>~!]).*$/, "");

const headersOf = (args: ReadonlyArray<string>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    args.flatMap((arg, at) => {
      const [, name, value] = /^([^:]+):\s*(.*)$/s.exec(args[at + 1] ?? "") ?? [];
      return arg === "--header" && name !== undefined ? [[name, value ?? ""] as const] : [];
    }),
  );

/** A package's name in the form in which its registry compares names. */
const canonicalName = (registry: "npm" | "python", name: string): string =>
  registry === "npm" ? name : name.toLowerCase().replaceAll(/[-_.]+/g, "-");

/** Returns whether the client's server is an instance of this entry. */
export const isOf = (server: ClientServer, entry: CatalogEntry): boolean => {
  const { manifest } = entry;
  if (server.kind === "remote") {
    return !isStdio(manifest) && template(normalized(manifest.url)).test(normalized(server.url));
  }
  if (!isStdio(manifest)) return false;
  if (manifest.package === null) return server.program === manifest.command;
  if (server.package === null) return nameOf(server.program) === manifest.command;
  const registry = entry.runtime === "node" ? "npm" : "python";
  return (
    server.package.registry === registry &&
    canonicalName(registry, server.package.name) === canonicalName(registry, manifest.package)
  );
};
