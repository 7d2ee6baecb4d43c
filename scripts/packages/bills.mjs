// The SBOMs of the installed packages, judged by the schema of CycloneDX.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

/** The validator and the packages that it needs, which are optional peers. */
export const validator = {
  "@cyclonedx/cyclonedx-library": "10.3.0",
  ajv: "8.20.0",
  "ajv-formats": "3.0.1",
  "ajv-formats-draft2019": "1.6.1",
};

const program = (files) => `
import { readFileSync } from "node:fs";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
const wrong = [];
for (const file of ${JSON.stringify(files)}) {
  const found = await validator.validate(readFileSync(file, "utf8"));
  if (found !== null) wrong.push(file + ": " + JSON.stringify(found).slice(0, 1000));
}
console.log(JSON.stringify(wrong));`;

/** Returns the wrong sentences of SBOMs, and the packages in them without a license in the same package. */
export const wrongBills = (scratch, dirs) => {
  const withBill = dirs.filter((dir) => existsSync(join(dir, "sbom.cdx.json")));
  const file = join(scratch, "bills.mjs");
  writeFileSync(file, program(withBill.map((dir) => join(dir, "sbom.cdx.json"))));
  const wrong = JSON.parse(execFileSync(process.execPath, [file], { encoding: "utf8" }));
  const names = withBill.map((dir) => basename(dir)).toSorted();
  if (names.join() !== "cli,http,quartermaster") wrong.push(`packages with an SBOM: ${names}`);
  for (const dir of withBill) {
    const { components } = JSON.parse(readFileSync(join(dir, "sbom.cdx.json"), "utf8"));
    const text = readFileSync(join(dir, "THIRD-PARTY-LICENSES.txt"), "utf8");
    for (const { name, version } of components) {
      if (!text.includes(`\n${name} ${version} (`)) wrong.push(`${dir}: no license of ${name}`);
    }
  }
  return wrong;
};
