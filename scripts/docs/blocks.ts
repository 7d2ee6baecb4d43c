/**
 * The fenced blocks of a page as steps of its check. Comments before a block direct it:
 *
 *   <!-- skip: REASON -->                 the next block cannot run in this check
 *   <!-- in the clone -->                 the next block runs in the root of the repository
 *   <!-- in the background -->            the next block runs until the page ends or `<!-- stop -->`
 *   <!-- in the background until URL -->  the same; URL responds when the block is ready
 *   <!-- stop -->                         stops the last block in the background
 *   <!-- run: COMMAND -->                 a command that the page does not show
 *   <!-- background: COMMAND -->          the same, in the background
 */
export interface Step {
  readonly kind: "run" | "file" | "stop" | "skip";
  readonly text: string;
  /** The name of the file that the page shows, or the reason why the block is skipped. */
  readonly name: string;
  /** True if it runs in the root of the repository. */
  readonly inClone: boolean;
  /** The URL that responds when the background block is ready. */
  readonly until: string | null;
  /** The output that the page shows. */
  readonly expected: string | null;
}

const comment = String.raw`<!-- (skip|in the clone|in the background(?: until)?|stop|run|background):? ?(.*?) ?-->`;
const fence = "( *)```(\\w*)\\n(.*?)^ *```";
const pattern = new RegExp(`^(?:${comment}|${fence})$`, "gms");

const ready = "http://127.0.0.1:7420/readyz";

const plain = { text: "", name: "", inClone: false, until: null, expected: null };

export const stepsOf = (page: string): ReadonlyArray<Step> => {
  const steps: Array<Step> = [];
  // The comments about the next block, and the block whose output the next `text` block shows.
  let next = new Map<string, string>();
  let shown: number | null = null;
  for (const [, word, rest = "", indent = "", language, body = ""] of page.matchAll(pattern)) {
    if (word === "stop") steps.push({ ...plain, kind: "stop" });
    else if (word === "run") steps.push({ ...plain, kind: "run", text: `${rest}\n` });
    else if (word === "background") {
      steps.push({ ...plain, kind: "run", text: `${rest}\n`, until: ready });
    }
    if (word !== undefined) {
      next.set(word.replace(" until", ""), rest);
      continue;
    }
    const text = body.replaceAll(new RegExp(`^${indent}`, "gm"), "");
    const [, file] = /^\/\/ (\w+\.ts)\n/.exec(text) ?? [];
    const command = shown === null ? undefined : steps[shown];
    if (language === "text" && command !== undefined && shown !== null) {
      steps[shown] = { ...command, expected: text };
    }
    shown = language === "sh" && !next.has("skip") ? steps.length : null;
    if (language === "sh") {
      const until = next.get("in the background");
      steps.push({
        ...plain,
        kind: next.has("skip") ? "skip" : "run",
        text,
        name: next.get("skip") ?? "",
        inClone: next.has("in the clone"),
        until: until === "" ? ready : (until ?? null),
      });
    } else if (language === "ts" && file !== undefined) {
      steps.push({ ...plain, kind: "file", name: file, text });
    } else if (language === "console" || language === "bash") {
      throw new Error(`Write \`sh\`, so that this check runs the block, or skip it:\n${text}`);
    }
    next = new Map();
  }
  return steps;
};

const oneSpace = (line: string): string => line.trim().replaceAll(/\s+/g, " ");
const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/**
 * True if the output matches the page. `…` stands for the rest of a word or line, and on a separate
 * line for any number of lines. White space counts as one space, since a table is wider on a
 * terminal than in a pipe.
 */
export const isAsShown = (expected: string, output: string): boolean => {
  const source = expected
    .trimEnd()
    .split("\n")
    .map(oneSpace)
    .map((line) => (line === "…" ? "(?:.*\n)*" : `${literal(line).replaceAll("…", ".*")}\n`))
    .join("");
  const actual = output.trimEnd().split("\n").map(oneSpace);
  return new RegExp(`^${source}$`).test(`${actual.join("\n")}\n`);
};
