// Looks up every Node package of the catalog in npm, installs and verifies each with dummy
// credentials in its own sandbox and in others, and writes the results to docs/catalog-report.md.
// Fails when a package is missing, its integrity differs, its program is missing, or a sandbox
// keeps it from working. With --check it only looks the packages up, compares them with the report,
// and writes nothing.
import { compare } from "./catalog/comparison.ts";
import { reasonOf } from "./catalog/npm.ts";
import { lookUp, type Package, packages } from "./catalog/package.ts";
import * as report from "./catalog/report.ts";
import { type Trial, withServices } from "./catalog/trial.ts";

const checkMillis = 270_000;

// A signal also stops the started programs and npm, and removes the scratch folder.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

const see = async (
  one: Package,
  tryOut: (one: Package) => Promise<Trial>,
): Promise<report.Seen> => {
  try {
    const published = await lookUp(one);
    if (published.problem !== null) return { ...published, package: one, trial: null };
    const trial = await tryOut(one);
    return { ...published, package: one, trial, problem: trial.problem };
  } catch (error) {
    return { package: one, trial: null, problem: reasonOf(error) };
  }
};

const writeReport = async () => {
  const checked: Array<report.Seen> = [];
  await withServices(async (tryOut) => {
    for (const one of packages) {
      const seen = await see(one, tryOut);
      checked.push(seen);
      console.log(`${one.entry.id}: ${report.cellsOf(seen).join(", ")}`);
    }
  });
  await report.write(checked);
  const broken = checked.filter(({ problem }) => problem !== null);
  for (const { package: one, problem } of broken) {
    console.error(`${one.entry.id}: ${one.pinned}: ${problem}`);
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
    console.error("If that is right, `npm run catalog:check` writes the report again.");
  }
  return differences.length === 0;
};

const good = process.argv.includes("--check") ? await checkReport() : await writeReport();
process.exitCode = good ? 0 : 1;
