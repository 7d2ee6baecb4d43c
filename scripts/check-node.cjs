// Plain CommonJS: the script has to run on the versions that it refuses.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `Quartermaster needs Node 22.19 or newer, but this is Node ${process.versions.node}: ` +
      "run `npm ci` to get the version this repository brings, or install a newer Node.",
  );
  process.exit(1);
}
