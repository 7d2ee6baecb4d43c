import * as NodeServices from "@effect/platform-node/NodeServices";
import { Effect, Option } from "effect";
import { CliOutput, Command, type HelpDoc } from "effect/cli";
import { command } from "../../packages/server/src/program/Program.ts";

/** Writes docs/reference/cli.md from the definitions of the commands. */

const program = command("0.0.0");

type Path = ReadonlyArray<string>;

const pathsOf = (node: Command.Command.Any, path: Path): ReadonlyArray<Path> => [
  path,
  ...node.subcommands.flatMap(({ commands }) =>
    commands.flatMap((child) => pathsOf(child, [...path, child.name])),
  ),
];

const helpOf = Effect.fnUntraced(function* (path: Path) {
  let doc: HelpDoc.HelpDoc | undefined;
  const presenter = CliOutput.layerPresenter({
    present: (event) =>
      Effect.sync(() => {
        if (event._tag === "Help") doc = event.helpDoc;
      }),
  });
  yield* Command.runWith(program, { version: "0.0.0" })([...path, "--help"]).pipe(
    Effect.provide(presenter),
  );
  return doc ?? (yield* Effect.die(`${path.join(" ")} has no help`));
});

const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");

const block = (text: string) => `\`\`\`text\n${text}\n\`\`\``;

/** The first sentence as a paragraph, and the rest with its layout. */
const descriptionOf = (path: Path, description: string) => {
  if (path.join(" ") === "serve") {
    return "Run the server until SIGTERM or SIGINT. [Environment variables](configuration.md) configure it.";
  }
  const [first = "", ...rest] = description.split("\n");
  const more = rest.join("\n").trim();
  return more === "" ? first : `${first}\n\n${block(more)}`;
};

/** Options with the same description in every command. */
const shared = new Set(["url", "key-file", "json"]);

const table = (heads: string, rows: ReadonlyArray<string>) =>
  rows.length === 0 ? [] : [[heads, "| --- | --- |", ...rows].join("\n")];

const row = (name: string, isRequired: boolean, description: Option.Option<string>) =>
  `| \`${name}\` | ${cell(Option.getOrElse(description, () => ""))}${isRequired ? " (required)" : ""} |`;

const section = (path: Path, doc: HelpDoc.HelpDoc) => {
  const isGroup = (doc.subcommands ?? []).length > 0 && (doc.examples ?? []).length === 0;
  const flags = doc.flags.filter(({ name }) => !shared.has(name) || path[0] === "login");
  const parts = [
    `${path.length === 1 ? "##" : "###"} ${path.join(" ")}`,
    descriptionOf(path, doc.description),
    ...(isGroup ? [] : [block(doc.usage)]),
    ...table(
      "| argument | meaning |",
      (doc.args ?? []).map(({ description, name, required, variadic }) =>
        row(variadic ? `${name}...` : name, required, description),
      ),
    ),
    ...table(
      "| option | meaning |",
      flags.map(({ description, name, required, type }) =>
        row(type === "boolean" ? `--${name}` : `--${name} ${type}`, required, description),
      ),
    ),
    ...(doc.examples ?? []).map(({ command, description }) =>
      block(`# ${description}\n${command}`),
    ),
  ];
  return parts.join("\n\n");
};

const head = `<!-- Written by \`npm run reference\` from the help of the commands. -->

# Command line

The program \`quartermaster\` has these commands. \`--help\` prints the same. The package \`@quartermaster/cli\` has
all of them but \`serve\`, \`rotate-key\`, \`backup\`, \`restore\`, \`doctor\` and \`mcp\`.

- A command that talks to a server has three more options. \`--url\` is the URL of the server; default: \`QM_URL\`, then
  the stored login. \`--key-file\` is a file with the API key; default: \`QM_KEY\`, then the stored login. \`--json\` prints
  one JSON document.
- \`ls\` is another name of each \`list\`, and \`new\` of each \`create\`.
- Every command has \`--help\` and \`--no-color\`. The program has \`--version\`, \`--completions SHELL\`, \`--wizard\` and \`--log-level\`.
- Exit codes: 0 success, 1 wrong usage, 2 refused, 3 not found, 4 not authenticated, 5 server unreachable.
  [The contract](../contract/running.md#command-line) states every rule.`;

/** The page as Markdown. */
export const commandsPage = Effect.gen(function* () {
  const [, ...paths] = pathsOf(program, []);
  const sections = yield* Effect.forEach(paths, (path) =>
    Effect.map(helpOf(path), (doc) => section(path, doc)),
  );
  return [head, ...sections].join("\n\n");
}).pipe(Effect.provide(NodeServices.layer));
