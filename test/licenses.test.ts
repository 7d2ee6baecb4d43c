import { readFile } from "node:fs/promises";
import { assert, describe, it } from "@effect/vitest";

const read = (file: string) => readFile(new URL(`../packages/${file}`, import.meta.url), "utf8");

describe("licenses", () => {
  it.each(["http", "server"])(
    "the licenses of packages/%s name the font of the page",
    async (name) => {
      const text = await read(`${name}/THIRD-PARTY-LICENSES.txt`);
      assert.match(
        text,
        /^@fontsource-variable\/inter [\d.]+ \(OFL-1\.1\)\n\nCopyright .*The Inter/m,
      );
      const { components } = JSON.parse(await read(`${name}/sbom.cdx.json`));
      const font = components.find(
        (component: { readonly name: string }) => component.name === "@fontsource-variable/inter",
      );
      assert.deepStrictEqual(font?.licenses, [{ license: { id: "OFL-1.1" } }]);
    },
  );
});
