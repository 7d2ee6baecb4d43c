import { execFile } from "node:child_process";
import { Effect } from "effect";

/** Milliseconds after which a git command is stopped: it may wait for a lock or a password. */
const timeout = 120_000;

export interface Ended {
  /** The exit code; -1 if git could not be started or was stopped. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs git in a folder. */
export const run = (folder: string, args: ReadonlyArray<string>): Effect.Effect<Ended> =>
  Effect.callback<Ended>((resume) => {
    const child = execFile(
      "git",
      ["-C", folder, ...args],
      { encoding: "utf8", timeout, maxBuffer: 16 * 1_024 * 1_024 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
        resume(Effect.succeed({ code, stdout, stderr: stderr || (error?.message ?? "") }));
      },
    );
    child.stdin?.end();
  });

/** The output of a git command, without the last line break; null if the command failed. */
export const output = (folder: string, args: ReadonlyArray<string>): Effect.Effect<string | null> =>
  Effect.map(run(folder, args), ({ code, stdout }) =>
    code === 0 ? stdout.replace(/\n$/, "") : null,
  );
