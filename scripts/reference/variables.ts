import { variables as ofCommands } from "../../packages/cli/src/Variables.ts";
import { variables } from "../../packages/server/src/config/Variables.ts";

/** Writes docs/reference/configuration.md from the tables of variables. */

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** True for a default that is valid exactly as printed. */
const isLiteral = (value: string) => /^\S+$|^\d+ MiB$/.test(value);

const defaultOf = (value: string | null) =>
  value === null || !isLiteral(value) ? (value ?? "") : `\`${value}\``;

const ofServer = Object.entries(variables).map(
  ([name, { default: value, meaning }]) =>
    `| \`${name}\` | ${defaultOf(value)} | ${sentence(meaning)} |`,
);

const others = Object.entries(ofCommands).map(
  ([name, meaning]) => `| \`${name}\` | ${sentence(meaning)} |`,
);

/** The page as Markdown. */
export const variablesPage = `<!-- Written by \`npm run reference\` from the tables of variables. -->

# Configuration

Environment variables configure Quartermaster. An empty variable counts as not set. An invalid value stops the start of
the server, and so does a variable that starts with \`QM_\` and is not in these tables.
[The contract](../contract/running.md#environment-variables) states the rules.

## The server

| variable | default | meaning |
| --- | --- | --- |
${ofServer.join("\n")}

## Commands and agents

The commands read these variables. \`quartermaster work\` sets all of them for the program that it runs.

| variable | meaning |
| --- | --- |
${others.join("\n")}
`;
