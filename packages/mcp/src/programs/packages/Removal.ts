import { randomUUID } from "node:crypto";
import { chmod, readdir, rename, rmdir, unlink } from "node:fs/promises";

const isMissing = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "ENOENT";

const within = (folder: Buffer, name: Buffer | string): Buffer =>
  Buffer.concat([folder, Buffer.from("/"), Buffer.from(name)]);

/**
 * Removes a folder, whatever the modes, names and depth of the files in it. Nested folders move to
 * the top before they are emptied, so that no path is too long. Names are bytes, because they need
 * not be UTF-8. Links are not followed. The programs that use the folder must have exited.
 */
export const removeTree = async (path: string): Promise<void> => {
  const root = Buffer.from(path);
  const waiting: Array<Buffer> = [];

  const empty = async (folder: Buffer) => {
    await chmod(folder, 0o700);
    for (const entry of await readdir(folder, { withFileTypes: true, encoding: "buffer" })) {
      const inner = within(folder, entry.name);
      if (!entry.isDirectory()) {
        await unlink(inner);
        continue;
      }
      // Moving a folder changes its ".." entry, so the folder must be writable.
      await chmod(inner, 0o700);
      const moved = within(root, randomUUID());
      await rename(inner, moved);
      waiting.push(moved);
    }
  };

  try {
    await empty(root);
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    await empty(next);
    await rmdir(next);
  }
  await rmdir(root);
};
