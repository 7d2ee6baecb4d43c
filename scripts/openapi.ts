import { readFileSync, writeFileSync } from "node:fs";
// Writes packages/http/openapi.json; with --check it fails if the file is not what it would write.
import { Api } from "@quartermaster/http/api";
import { OpenApi } from "effect/http-api";

const file = new URL("../packages/http/openapi.json", import.meta.url);
const text = `${JSON.stringify(OpenApi.fromApi(Api), null, 2)}\n`;

if (!process.argv.includes("--check")) {
  writeFileSync(file, text);
} else if (readFileSync(file, "utf8") !== text) {
  console.error("packages/http/openapi.json is not what the Api says: run `npm run openapi`.");
  process.exitCode = 1;
}
