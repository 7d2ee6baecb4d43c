import { open } from "node:fs/promises";
import { Effect } from "effect";
import { at, type BackupError } from "./BackupError.ts";

/**
 * Runs file operations. Interruption aborts the signal and waits until they stop, so that their
 * files can be removed.
 */
export const attempt = <A>(
  path: string,
  f: (signal: AbortSignal) => Promise<A>,
): Effect.Effect<A, BackupError> =>
  Effect.callback((resume) => {
    const controller = new AbortController();
    const running = f(controller.signal).then(
      (value) => resume(Effect.succeed(value)),
      (cause: unknown) => resume(Effect.fail(at(path)(cause))),
    );
    return Effect.promise(() => {
      controller.abort();
      return running;
    });
  });

/**
 * Syncs the entries of a folder. Systems that cannot sync a folder write its entries without it.
 */
export const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, "r").catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
};
