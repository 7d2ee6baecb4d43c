import type { ImportInput } from "../../data/servers/servers.ts";

/**
 * Parses a pasted configuration for a preview. The result omits values, which may be secrets, except values
 * that the publisher of a `server.json` fixed.
 */

export interface PastedServer {
  readonly name: string;
  /** The command with its package but without other arguments, or the URL without its query. */
  readonly runs: string;
  readonly variables: ReadonlyArray<string>;
  /** `NAME=value` for each variable fixed by the publisher of a `server.json`. */
  readonly fixed: ReadonlyArray<string>;
}

export type Pasted =
  | {
      readonly kind: "configuration" | "entry";
      readonly input: ImportInput;
      readonly servers: ReadonlyArray<PastedServer>;
    }
  | { readonly kind: "invalid"; readonly reason: string };

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : null;

const invalid = (reason: string): Pasted => ({ kind: "invalid", reason });

const textOf = (value: unknown) => (typeof value === "string" ? value : "");

/** Removes the query and the fragment of a URL: they may contain a key. */
const bare = (url: string) => url.split(/[?#]/)[0] ?? "";

/** The program and the package. Omits the other arguments, which may contain a key. */
const brief = (command: string, args: ReadonlyArray<unknown>) => {
  const name = args.map(textOf).find((arg) => !/^(-y|--yes|-q|--quiet|run|dlx|exec)$/.test(arg));
  return name === undefined || name.startsWith("-") ? command : `${command} ${name}`;
};

const serverOf = (name: string, value: unknown): PastedServer => {
  const server = fieldsOf(value) ?? {};
  const args = Array.isArray(server["args"]) ? server["args"] : [];
  const url = textOf(server["url"]);
  return {
    name,
    runs: url === "" ? brief(textOf(server["command"]), args) : bare(url),
    variables: ["env", "headers"].flatMap((key) => Object.keys(fieldsOf(server[key]) ?? {})),
    fixed: [],
  };
};

const listIn = (fields: Fields | null, key: string): ReadonlyArray<Fields> => {
  const list = fields?.[key];
  return Array.isArray(list) ? list.map(fieldsOf).filter((item) => item !== null) : [];
};

const fixedIn = (serverJson: Fields) => {
  const variables = listIn(serverJson, "packages").flatMap((item) =>
    listIn(item, "environmentVariables"),
  );
  const fixed = variables.filter(({ value }) => typeof value === "string");
  return [...new Set(fixed.map(({ name, value }) => `${textOf(name)}=${textOf(value)}`))];
};

const ofJson = (text: string): Pasted => {
  let json: Fields | null;
  try {
    json = fieldsOf(JSON.parse(text));
  } catch {
    return invalid("This is not valid JSON. Remove comments, and commas before a closing bracket.");
  }
  const mcpServers = fieldsOf(json?.["mcpServers"]);
  const servers = fieldsOf(json?.["servers"]);
  const found = mcpServers ?? servers;
  if (found !== null) {
    return {
      kind: "configuration",
      input: mcpServers === null ? { servers: found } : { mcpServers: found },
      servers: Object.entries(found).map(([name, server]) => serverOf(name, server)),
    };
  }
  if (json !== null && (Array.isArray(json["packages"]) || Array.isArray(json["remotes"]))) {
    const name = textOf(json["name"]);
    return {
      kind: "entry",
      input: json,
      servers: [{ name, runs: textOf(json["description"]), variables: [], fixed: fixedIn(json) }],
    };
  }
  return invalid("This has no mcpServers, servers, packages or remotes.");
};

const header =
  /^\s*\[\s*mcp_servers\s*\.\s*(?:"([^"]+)"|'([^']+)'|([\w-]+))\s*(?:\.\s*([\w-]+)\s*)?\]/;
const assignment = /^\s*"?([\w-]+)"?\s*=\s*(.*)$/;
const quoted = /["']([^"']*)["']/g;

const ofToml = (text: string): Pasted => {
  const found = new Map<string, { runs: string; args: Array<string>; variables: Array<string> }>();
  let at: { readonly name: string; readonly part: string } | null = null;
  for (const line of text.split(/\r?\n/)) {
    const [, double, single, plain, part = ""] = header.exec(line) ?? [];
    const name = double ?? single ?? plain;
    if (name !== undefined) {
      at = { name, part };
      if (!found.has(name)) found.set(name, { runs: "", args: [], variables: [] });
    } else if (/^\s*\[/.test(line)) {
      at = null;
    }
    const server = at === null ? undefined : found.get(at.name);
    const [, key, value = ""] = assignment.exec(line) ?? [];
    if (server === undefined || key === undefined || at === null) continue;
    const texts = [...value.matchAll(quoted)].map(([, one = ""]) => one);
    if (/^(env|http_headers)$/.test(at.part)) server.variables.push(key);
    else if (key === "command") server.runs = texts[0] ?? "";
    else if (key === "url") server.runs = bare(texts[0] ?? "");
    else if (key === "args") server.args = texts;
    else if (/^(env|http_headers)$/.test(key)) {
      server.variables.push(
        ...[...value.matchAll(/([\w-]+)"?\s*=\s*["']/g)].map(([, one = ""]) => one),
      );
    }
  }
  if (found.size === 0) return invalid("This has no [mcp_servers.NAME] and is not JSON.");
  return {
    kind: "configuration",
    input: { toml: text },
    servers: [...found].map(([name, { args, runs, variables }]) => ({
      name,
      runs: args.length === 0 ? runs : brief(runs, args),
      variables,
      fixed: [],
    })),
  };
};

/** Parses a client's JSON configuration, a `server.json` or Codex's TOML; null for empty text. */
export const read = (text: string): Pasted | null =>
  text.trim() === "" ? null : text.trimStart().startsWith("{") ? ofJson(text) : ofToml(text);
