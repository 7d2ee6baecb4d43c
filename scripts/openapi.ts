import { readFileSync, writeFileSync } from "node:fs";
// Writes packages/http/openapi.json and packages/client/src/contract from the contract. With
// --check it fails if a file differs from the generated one.
import { Api } from "@quartermaster/http/api";
import { OpenApi } from "effect/http-api";
import { clientFiles } from "./client-contract/files.ts";

const root = new URL("../", import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), "utf8");
const text = `${JSON.stringify(OpenApi.fromApi(Api), null, 2)}\n`;
const { printWidth, sortImports } = JSON.parse(read(".oxfmtrc.json"));
const client = await clientFiles(JSON.parse(text), { printWidth, sortImports });

for (const [file, expected] of [
  ["packages/http/openapi.json", text],
  ...client.map(([name, code]) => [`packages/client/src/contract/${name}`, code] as const),
] as const) {
  if (!process.argv.includes("--check")) {
    writeFileSync(new URL(file, root), expected);
  } else if (read(file) !== expected) {
    console.error(`${file} is not what the Api says: run \`npm run openapi\`.`);
    process.exitCode = 1;
  }
}
