import { readFileSync } from "node:fs";

/** What the commands recorded. Lines are numbered by their position in the one file of all commands. */

/** The process of one run. */
export interface Command {
  readonly issueId: string;
  readonly runId: string;
  readonly pid: number;
  /** The runner that started it. */
  readonly runnerPid: number;
  readonly startLine: number;
  /** When it had finished its work; null if it did not. */
  readonly endLine: number | null;
}

const readText = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // No command has started yet.
    return "";
  }
};

/** The commands in the order of their starts. */
export const read = (file: string): ReadonlyArray<Command> => {
  // The text after the last newline is a record that is being written.
  const lines = readText(file).split("\n").slice(0, -1);
  const commands = new Map<string, Command>();
  for (const [line, text] of lines.entries()) {
    const [kind, issueId = "", runId = "", pid, runnerPid] = text.split(" ");
    if (kind === "start") {
      const processes = { pid: Number(pid), runnerPid: Number(runnerPid) };
      commands.set(`${runId} ${pid}`, {
        issueId,
        runId,
        ...processes,
        startLine: line,
        endLine: null,
      });
    } else {
      for (const [key, command] of commands) {
        if (command.runId === runId) commands.set(key, { ...command, endLine: line });
      }
    }
  }
  return [...commands.values()];
};
