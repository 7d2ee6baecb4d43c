import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The files of a data directory, byte by byte. */

/** Every file below a folder, by its relative path, without files that vanish during the walk. */
export const files = async (folder: string): Promise<ReadonlyMap<string, Buffer>> => {
  const found = new Map<string, Buffer>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path).catch(() => undefined);
    if (bytes !== undefined) found.set(path.slice(folder.length + 1), bytes);
  }
  return found;
};

/** The files that contain a text. */
export const filesWith = async (folder: string, text: string): Promise<ReadonlyArray<string>> =>
  [...(await files(folder))].flatMap(([path, bytes]) => (bytes.includes(text) ? [path] : []));

/** The ids of attachments with bytes or a mark, once for each. */
export const attachments = async (folder: string): Promise<ReadonlyArray<string>> =>
  [...(await files(folder)).keys()]
    .filter((path) => path.startsWith("attachments/") && !path.includes("/owner.lock"))
    .map((path) => path.slice(path.lastIndexOf("/") + 1));
