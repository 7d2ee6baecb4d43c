import { execFile } from "node:child_process";
import { Effect } from "effect";

/** Milliseconds after which a program is stopped: it may wait for a lock or a password. */
const timeout = 120_000;

export interface Ended {
  /** The exit code; -1 if the program could not be started or was stopped. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Options {
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Runs a program without input until it exits. */
export const run = (
  program: string,
  args: ReadonlyArray<string>,
  { cwd, env }: Options = {},
): Effect.Effect<Ended> =>
  Effect.callback<Ended>((resume) => {
    const child = execFile(
      program,
      args,
      { encoding: "utf8", timeout, maxBuffer: 16 * 1_024 * 1_024, cwd, ...(env && { env }) },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
        resume(Effect.succeed({ code, stdout, stderr: stderr || (error?.message ?? "") }));
      },
    );
    child.stdin?.end();
  });
