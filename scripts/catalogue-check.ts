// Asks npm for every node package of the catalog, installs and starts each with dummy
// credentials, lists its tools, and writes docs/catalogue-report.md: what was seen.
// Fails when a package is not there, its integrity differs or its program is missing.
// With --check it only asks npm, compares with the report, and writes nothing.
import { compare } from "./catalogue/comparison.ts";
import { reasonOf } from "./catalogue/npm.ts";
import { forEach, lookUp, type Package, packages, tryOut } from "./catalogue/package.ts";
import * as report from "./catalogue/report.ts";

const atOnce = 2;
const checkMillis = 270_000;

// The programs that were started, npm and the scratch folder end with this process in any case.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

const see = async (one: Package): Promise<report.Seen> => {
  const { manifest } = one;
  const seen: report.Seen = {
    package: one,
    integrity: "",
    program: "",
    engines: "",
    size: "",
    started: "",
    tools: "",
    note: "",
    broken: false,
  };
  try {
    const { file, integrity, problem } = await lookUp(one);
    const same = integrity === manifest.integrity;
    seen.integrity = same ? "same" : "differs";
    if (same) seen.program = file === undefined ? "missing" : "there";
    if (problem !== null || file === undefined) {
      return Object.assign(seen, { note: problem, broken: true });
    }
    const { missing, ...trial } = await tryOut(one, file);
    return Object.assign(seen, trial, { broken: missing });
  } catch (error) {
    return Object.assign(seen, { note: reasonOf(error), broken: true });
  }
};

const writeReport = async () => {
  const results = new Map<Package, report.Seen>();
  await forEach(packages, atOnce, async (one) => {
    const seen = await see(one);
    results.set(one, seen);
    console.log(`${one.entry.id}: ${seen.tools ? `${seen.tools} tools` : seen.note}`);
  });
  const checked = packages.flatMap((one) => results.get(one) ?? []);
  await report.write(checked);
  const broken = checked.filter((seen) => seen.broken);
  for (const { note, package: one } of broken) {
    console.error(`${one.entry.id}: ${one.pinned}: ${note}`);
  }
  return broken.length === 0;
};

const checkReport = async () => {
  setTimeout(() => {
    console.error(`This took more than ${checkMillis / 1_000} s.`);
    process.exit(1);
  }, checkMillis).unref();
  const { away, differences, lookedUp } = await compare();
  const done = `${lookedUp} of ${packages.length} packages looked up`;
  console.log(away === null ? done : `skipped: the registry cannot be reached (${away}); ${done}`);
  for (const one of differences) console.error(one);
  if (differences.length > 0) {
    console.error("If that is right, `npm run catalogue:check` writes the report again.");
  }
  return differences.length === 0;
};

const good = process.argv.includes("--check") ? await checkReport() : await writeReport();
process.exitCode = good ? 0 : 1;
