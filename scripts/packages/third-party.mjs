// The packages of others whose code is in a bundle: their licenses, and an SBOM in the form of CycloneDX 1.6. The
// plugins made for this need Rollup with a binary for each platform as a peer, or list what is installed instead of
// what is shipped.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

const root = join(import.meta.dirname, "../..");
const folder = "/node_modules/";
/** In the output folder of a bundle: the folders of the packages in it. */
const record = ".third-party";

const json = (file) => JSON.parse(readFileSync(file, "utf8"));

/** The folder of the package that a module or an asset is from; undefined without one in node_modules. */
const packageOf = (id) => {
  const path = id.replaceAll("\\", "/").replace(/^\0/, "").replace(/\?.*$/, "");
  const start = path.lastIndexOf(folder) + folder.length;
  if (start < folder.length) return undefined;
  const [scope, name] = path.slice(start).split("/");
  return path.slice(0, start) + (scope.startsWith("@") ? `${scope}/${name}` : scope);
};

/** A plugin for Rolldown and Vite that records in the output folder whose code is in it. */
export const thirdParty = {
  name: "third-party",
  async writeBundle({ dir }, bundle) {
    const ids = Object.values(bundle).flatMap((output) =>
      // Vite's names of assets are relative to its root.
      output.type === "asset"
        ? output.originalFileNames.map((name) => resolve(this.environment.config.root, name))
        : output.moduleIds,
    );
    const packages = new Set(ids.map(packageOf).filter((found) => found !== undefined));
    await writeFile(join(dir, record), JSON.stringify([...packages]));
  },
};

const texts = (dir) =>
  readdirSync(dir)
    .filter((name) => /^(licen[cs]e|copying|notice)(\.|-|$)/i.test(name))
    .toSorted()
    .map((name) => readFileSync(join(dir, name), "utf8").trim());

const purlOf = ({ name, version }) => `pkg:npm/${name.replace("@", "%40")}@${version}`;

const found = (dir, locked) => {
  const { license, name, version } = json(join(dir, "package.json"));
  const { integrity } = locked[`node_modules/${dir.slice(dir.indexOf(folder) + folder.length)}`];
  const terms = texts(dir);
  if (typeof license !== "string" || terms.length === 0) {
    throw new Error(`${name} is shipped, and has no license or no text of it`);
  }
  return { name, version, license, terms, integrity };
};

const licensesText = (packages) => {
  const parts = packages.map(
    ({ license, name, terms, version }) =>
      `${name} ${version} (${license})\n\n${terms.join("\n\n")}\n`,
  );
  const intro = "This package contains code of the following packages.\n";
  return [intro, ...parts].join(`\n${"-".repeat(80)}\n\n`);
};

const componentOf = ({ integrity, license, name, version }) => {
  const [algorithm, digest] = integrity.split(/-(.*)/);
  const content = Buffer.from(digest, "base64").toString("hex");
  return {
    type: "library",
    "bom-ref": purlOf({ name, version }),
    name,
    version,
    licenses: [/ (OR|AND) /.test(license) ? { expression: license } : { license: { id: license } }],
    purl: purlOf({ name, version }),
    hashes: [{ alg: algorithm.replace("sha", "SHA-"), content }],
  };
};

const billOf = ({ license, name, version }, packages) => {
  const ref = purlOf({ name, version });
  const components = packages.map(componentOf);
  const licenses = [{ license: { id: license } }];
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: { type: "application", "bom-ref": ref, name, version, licenses, purl: ref },
    },
    components,
    dependencies: [{ ref, dependsOn: components.map((component) => component.purl) }],
  };
};

/** Writes the licenses and the SBOM of a package that ships these bundles. */
export const writeThirdParty = async (dir, bundles) => {
  const records = bundles.map((bundle) => join(dir, bundle, record));
  if (!records.every((file) => existsSync(file))) return;
  const dirs = await Promise.all(
    records.map(async (file) => JSON.parse(await readFile(file, "utf8"))),
  );
  const { packages: locked } = json(join(root, "package-lock.json"));
  const packages = [...new Set(dirs.flat())]
    .map((each) => found(each, locked))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const bill = billOf(json(join(dir, "package.json")), packages);
  await writeFile(join(dir, "THIRD-PARTY-LICENSES.txt"), licensesText(packages));
  await writeFile(join(dir, "sbom.cdx.json"), `${JSON.stringify(bill, null, 2)}\n`);
};
