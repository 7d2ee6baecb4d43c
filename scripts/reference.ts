import { readFileSync, writeFileSync } from "node:fs";
// Writes the generated pages of docs/reference from the code. With --check it fails if a page
// differs from the generated one.
import { referencePages } from "./reference/pages.ts";

const root = new URL("../", import.meta.url);

for (const [file, expected] of await referencePages()) {
  if (!process.argv.includes("--check")) {
    writeFileSync(new URL(file, root), expected);
  } else if (readFileSync(new URL(file, root), "utf8") !== expected) {
    console.error(`${file} is not what the code says: run \`npm run reference\`.`);
    process.exitCode = 1;
  }
}
