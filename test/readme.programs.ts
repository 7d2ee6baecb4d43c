import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/** The fenced blocks of a text, in their order. */
export const blocksIn = (text: string) =>
  [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language, block = ""]) => ({
    language,
    text: block,
  }));

const readme = readFileSync(join(root, "README.md"), "utf8");

/** The blocks below a heading of the README. */
export const blocksOf = (heading: string) =>
  blocksIn(readme.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? "");

const packages = ["embedded", "client"].map((name) =>
  readFileSync(join(root, "packages", name, "README.md"), "utf8"),
);

/** What each program prints. A program that names no file is `program.ts`. */
const outputs: Readonly<Record<string, string>> = {
  "program.ts": "Open\n",
  "services.ts": "Open\n",
  "promises.ts": "Say hello: 0 comments, 0 tools\nPendingReview\n",
  "effect.ts": "Say hello: 0 comments, 0 tools\nPendingReview\n",
  "embedded.ts": "In French, please.\ntrue\n",
  "agent.ts": "Say hello: PendingReview\n",
  "client.ts": "Say hello\nissue\n",
};

/** Programs that call a server, at QM_URL with QM_KEY. */
const remote = new Set(["agent.ts", "client.ts"]);

/** The programs of the READMEs, in the order in which they share a directory. */
export const programs = [
  "Inside your own program",
  "Agents in your own program",
  "Agents beside the server",
]
  .flatMap(blocksOf)
  .concat(packages.flatMap(blocksIn))
  .filter(({ language }) => language === "ts")
  .map(({ text }) => {
    const file = /^\/\/ (\w+\.ts)/.exec(text)?.[1] ?? "program.ts";
    const output = outputs[file];
    if (output === undefined) throw new Error(`What ${file} of the README prints is not known.`);
    return { file, text, output, isRemote: remote.has(file) };
  });
if (programs.length !== Object.keys(outputs).length) {
  throw new Error("A README lacks a program.");
}
