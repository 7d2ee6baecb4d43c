import { constants } from "node:fs";
import { access, readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { assert, it } from "@effect/vitest";
import { root } from "./programs.ts";

it("[server.bin] the program is linked, and is a file that needs no build to be there", async () => {
  const file = await realpath(join(root, "node_modules", ".bin", "quartermaster"));
  assert.strictEqual(
    file,
    join(await realpath(root), "packages", "server", "bin", "quartermaster.js"),
  );
  await access(file, constants.X_OK);
  const text = await readFile(file, "utf8");
  assert.isTrue(text.startsWith("#!/usr/bin/env node\n"));
  assert.match(text, /import\("\.\.\/program\/bin\.js"\)/);
});
