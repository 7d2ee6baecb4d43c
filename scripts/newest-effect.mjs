// Writes newer versions of effect and its packages into every package.json, for a test:
//
//   node scripts/newest-effect.mjs accepted   the newest that the packages accept as a peer
//   node scripts/newest-effect.mjs latest     the newest release
//
// `npm install --force` installs them.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const read = (file) => readFileSync(join(root, file), "utf8");
const { peerDependencies } = JSON.parse(read("packages/core/package.json"));
const bound = peerDependencies.effect.split(" ")[1];

const versions = process.argv[2];
if (versions !== "accepted" && versions !== "latest") {
  console.error("Name the versions: accepted or latest.");
  process.exit(1);
}

for (const file of globSync(["package.json", "{packages,examples}/*/package.json"], {
  cwd: root,
})) {
  // A pinned version, not the range of a peer.
  const text = read(file).replaceAll(
    /("(?:effect|@effect\/[\w-]+)": )"(\d[\w.-]*)"/g,
    (_, name, pinned) => `${name}"${versions === "latest" ? "latest" : `>=${pinned} ${bound}`}"`,
  );
  writeFileSync(join(root, file), text);
}
