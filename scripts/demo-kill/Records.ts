import { readFileSync } from "node:fs";

/**
 * The records that commands wrote. All commands share one file; lines are numbered by their
 * position in it.
 */

/** The process of one run. */
export interface Command {
  readonly issueId: string;
  readonly runId: string;
  readonly pid: number;
  /** The process id of the runner that started it. */
  readonly runnerPid: number;
  readonly startLine: number;
  /** The line at which it finished its work; null if it did not finish. */
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

/** The commands, ordered by their start. */
export const read = (file: string): ReadonlyArray<Command> => {
  // Text after the last newline is an incomplete record.
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
