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
const blocksOf = (heading: string) =>
  blocksIn(readme.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? "");

const pages = [
  "docs/guides/embedding.md",
  "packages/embedded/README.md",
  "docs/reference/client.md",
  "packages/client/README.md",
];

/** The expected output of each program. A program without a file name is `program.ts`. */
const outputs: Readonly<Record<string, string>> = {
  "program.ts": "Open\n",
  "hello.ts": "Open\n",
  "worker.ts": "Say hello\n",
  "services.ts": "Open\n",
  "promises.ts": "Say hello: 0 comments, 0 tools\nPendingReview\n",
  "effect.ts": "Say hello: 0 comments, 0 tools\nPendingReview\n",
  "embedded.ts": "In French, please.\ntrue\n",
  "agent.ts": "Say hello: PendingReview\n",
  "client.ts": "Say hello\nissue\n",
};

/** Programs that call a server at QM_URL with QM_KEY. */
const remote = new Set(["agent.ts", "client.ts", "worker.ts"]);

/** The programs of the pages, in the order in which they share a directory. */
export const programs = blocksOf("Ways in")
  .concat(pages.flatMap((page) => blocksIn(readFileSync(join(root, page), "utf8"))))
  .filter(({ language }) => language === "ts")
  .map(({ text }) => {
    const file = /^\/\/ (\w+\.ts)/.exec(text)?.[1] ?? "program.ts";
    const output = outputs[file];
    if (output === undefined) throw new Error(`What ${file} prints is not known.`);
    return { file, text, output, isRemote: remote.has(file) };
  });
if (programs.length !== Object.keys(outputs).length) {
  throw new Error("A page lacks a program.");
}
