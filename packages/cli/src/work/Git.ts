import { Effect } from "effect";
import * as Subprocess from "./Subprocess.ts";

/** Runs git in a folder. */
export const run = (folder: string, args: ReadonlyArray<string>): Effect.Effect<Subprocess.Ended> =>
  Subprocess.run("git", ["-C", folder, ...args]);

/** The output of a git command, without the last line break; null if the command failed. */
export const output = (folder: string, args: ReadonlyArray<string>): Effect.Effect<string | null> =>
  Effect.map(run(folder, args), ({ code, stdout }) =>
    code === 0 ? stdout.replace(/\n$/, "") : null,
  );
