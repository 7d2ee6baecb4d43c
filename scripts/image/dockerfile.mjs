// The Dockerfile as instructions: only the forms that it has.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const root = join(import.meta.dirname, "../..");

const known = new Set("FROM RUN COPY USER ENV VOLUME EXPOSE HEALTHCHECK CMD".split(" "));

/** Its instructions in order, as pairs of a name and a text. */
export const instructions = readFileSync(join(root, "Dockerfile"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => {
    const [, name, text] = /^(\w+) (.*)$/.exec(line) ?? [];
    if (!known.has(name)) throw new Error(`The check does not know this line: ${line}`);
    return [name, text];
  });

const textOf = (name) => instructions.find(([found]) => found === name)[1];

export const user = textOf("USER");
export const volume = textOf("VOLUME");
export const command = JSON.parse(textOf("CMD"));
export const healthCheck = JSON.parse(textOf("HEALTHCHECK").replace(/^.* CMD /, ""));
export const variables = Object.fromEntries(
  textOf("ENV")
    .split(" ")
    .map((pair) => pair.split("=")),
);
