import { Buffer } from "node:buffer";
import type { HeartbeatAnswer } from "@quartermaster/client";

/** The maximum UTF-8 bytes of a prompt. Linux allows 128 KiB per argument of a program. */
export const maxBytes = 96 * 1_024;

/** The maximum bytes of the description. The rest is for comments. */
const maxDescription = 64 * 1_024;

type Started = HeartbeatAnswer["started"][number];

const sizeOf = (text: string) => Buffer.byteLength(text, "utf8");

const isCut = "\n\n[This is cut. All of it is in the file that QM_ISSUE_FILE names.]";

/** The longest prefix of a text that fits, with a note if the text was cut. */
const fit = (text: string, limit: number): string => {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length <= limit) return text;
  let end = Math.max(0, limit - sizeOf(isCut));
  while (end > 0 && ((bytes[end] ?? 0) & 0b1100_0000) === 0b1000_0000) end -= 1;
  return bytes.subarray(0, end).toString("utf8") + isCut;
};

/** A line that starts like a message of the service. Format characters before it are not visible. */
const pretending = /^(?=(?:[^\S\n]|\p{Cf})*\[quartermaster\])/gimu;

/** Marks lines of other authors that start like messages of the service as quoted. */
const quoted = (text: string): string => text.replace(pretending, "> ");

const handIn = [
  "## How to hand in",
  "",
  "When the work is done, exit with 0: the end of your output becomes a comment on the issue. Exit",
  "with 75 if the work is not possible now; it is given back and tried again later. Any other exit",
  "code is a failure, and the issue is tried again. The environment variable QM_ISSUE_FILE names a",
  "file with the whole issue as JSON, and QM_MCP_CONFIG one that connects an MCP client to",
  "Quartermaster. If a person has to decide something, run `quartermaster ask QUESTION` and exit with 0:",
  "the issue is given back, and starts again with the answer.",
].join("\n");

/** The maximum bytes of the questions. */
const maxQuestions = 12 * 1_024;

/** The questions closed since the previous run: `answered`, `expired` or `withdrawn`. */
const questionsOf = ({ questions }: Started): string => {
  if (questions.length === 0) return "";
  const parts = questions.map(
    ({ answer, prompt, status }) =>
      `Question: ${quoted(prompt)}\n\nAnswer: ${quoted(answer ?? `none (${status})`)}`,
  );
  return fit(["## Questions", ...parts].join("\n\n"), maxQuestions);
};

/** The maximum bytes of the calls. */
const maxEffects = 12 * 1_024;

/** The calls for the issue that happen once, newest first. */
const effectsOf = ({ effects }: Started): string => {
  if (effects.length === 0) return "";
  const parts = effects.map(
    ({ at, server, state, summary, tool }) =>
      `- ${at} ${server}/${tool}: ${state}${summary === null ? "" : `, ${summary}`}`,
  );
  const text = "Earlier calls for this issue. An equal call returns the recorded result.";
  return fit(`## Calls\n\n${text}\n\n${parts.join("\n")}`, maxEffects);
};

/** The newest comments that fit, oldest first. */
const commentsOf = ({ comments }: Started, limit: number): string => {
  const heading = "## Comments, oldest first";
  const parts: Array<string> = [];
  let left = limit - sizeOf(heading) - sizeOf(isCut) - 4;
  for (const { authorId, authorType, content, createdAt } of comments.toReversed()) {
    const part = `### ${authorType} ${authorId}, ${createdAt}\n\n${quoted(content)}`;
    if (sizeOf(part) + 2 > left) {
      // The newest comment is included in part rather than left out.
      parts.unshift(parts.length === 0 ? fit(part, left) : isCut.trim());
      break;
    }
    parts.unshift(part);
    left -= sizeOf(part) + 2;
  }
  return parts.length === 0 ? "" : [heading, ...parts].join("\n\n");
};

/**
 * The command's task as Markdown: the issue, its questions, its calls, its newest comments, and instructions
 * for handing in.
 */
export const text = (started: Started): string => {
  const { description, id, projectId, title } = started.issue;
  const top = `# ${title}\n\nIssue ${id} in project ${projectId}, attempt ${started.attempt}.`;
  const body = description === null ? "" : fit(quoted(description), maxDescription);
  const before = [top, body, questionsOf(started), effectsOf(started)]
    .filter((part) => part !== "")
    .join("\n\n");
  const comments = commentsOf(started, maxBytes - sizeOf(before) - sizeOf(handIn) - 8);
  return [before, comments, handIn]
    .filter((part) => part !== "")
    .join("\n\n")
    .concat("\n");
};
