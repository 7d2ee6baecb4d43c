import type { Options } from "tsup";

/** JavaScript only: `tsc -b` writes the declarations into the same folder. */
export const base: Options = {
  format: "esm",
  target: "node22",
  platform: "node",
  outDir: "dist",
  clean: false,
  dts: false,
  sourcemap: true,
  splitting: true,
  // "sqlite" without "node:" is no module.
  removeNodeProtocol: false,
  external: [/^effect(\/|$)/, /^@effect\//, /^@quartermaster\//, /^node:/],
};
