import { assert } from "@effect/vitest";
import * as World from "../../http/test/support/World.ts";
import { home } from "./Command.ts";

/** A world, and a user's commands with a separate home directory. `as` runs them with a key. */
export const scene = async () => {
  const [world, user] = await Promise.all([World.forTest(), home()]);
  const as = (key: string) => {
    const env = { QM_URL: world.url, QM_KEY: key };
    const run = (args: ReadonlyArray<string>, input?: string, more: Record<string, string> = {}) =>
      user.run(args, { ...env, ...more }, input);
    /** Runs a command that has to succeed. Returns its stdout. */
    const text = async (
      args: ReadonlyArray<string>,
      input?: string,
      more?: Record<string, string>,
    ) => {
      const { code, stderr, stdout } = await run(args, input, more);
      assert.strictEqual(code, 0, stderr);
      return stdout.trimEnd();
    };
    return {
      run,
      text,
      /** Runs a command as a process. */
      execute: (args: ReadonlyArray<string>, input?: string, more?: Record<string, string>) =>
        user.execute(args, { ...env, ...more }, input),
      /** Runs a command with `--json` that has to succeed. Returns the printed document. */
      json: async (...args: ReadonlyArray<string>) => JSON.parse(await text([...args, "--json"])),
    };
  };
  return {
    world,
    folder: user.folder,
    as,
    editor: as(world.keys.editor.key),
    admin: as(world.keys.admin.key),
    bot: as(world.agent.key),
  };
};
