import { defineConfig } from "tsup";
import { base } from "../../tsup.base.ts";

export default defineConfig({
  ...base,
  entry: { index: "src/index.ts", "api/index": "src/api/index.ts", bin: "src/bin.ts" },
});
