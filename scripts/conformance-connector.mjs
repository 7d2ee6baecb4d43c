// Runs the client scenarios of the official conformance suite against conformance-client.ts, which
// uses our connector. conformance-connector-expected.yml lists the expected failures with reasons;
// this script fails if the list is not exact. One scenario: `conformance-connector.mjs NAME`.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify, stripVTControlCharacters } from "node:util";
import { suite } from "./conformance-suite.mjs";

/**
 * Measures the delay before a client reconnects. No other scenario runs at the same time, and it
 * has several attempts.
 */
const timed = "sse-retry";
const tries = 3;
const atOnce = 2;

const root = join(import.meta.dirname, "..");
const scratch = mkdtempSync(join(tmpdir(), "qm-conformance-"));
process.once("exit", () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

const env = {
  ...process.env,
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  // A client spends most of its time compiling the same sources.
  NODE_COMPILE_CACHE: join(scratch, "compiled"),
  TMPDIR: scratch,
};
const run = promisify(execFile);

// Outside the repository, so that the suite uses its own published dependencies.
const found = await run("npx", ["--yes", `--package=${suite}`, "-c", "command -v conformance"], {
  cwd: scratch,
  env,
});
const conformance = (args) =>
  run(process.execPath, [found.stdout.trim(), ...args], { cwd: root, env, timeout: 120_000 });

const command = "node --conditions=quartermaster-source scripts/conformance-client.ts";

/**
 * Runs a scenario. It passes if all checks succeed without a warning and the client exits with 0.
 * Returns the result and the output.
 */
const attempt = (scenario) =>
  conformance(["client", "--timeout", "90000", "--command", command, "--scenario", scenario]).then(
    () => ({ passed: true, said: "" }),
    ({ stdout = "", stderr = "", message }) => ({
      passed: false,
      said: stripVTControlCharacters(`${stderr}${stdout}` || message),
    }),
  );

const expected = new Set(
  readFileSync(join(root, "scripts/conformance-connector-expected.yml"), "utf8")
    .split("\n")
    .flatMap((line) => line.match(/^\s+- (\S+)$/)?.[1] ?? []),
);
const wrong = [];
let passes = 0;

/** The output without the log of requests and responses. */
const worthReading = (said) =>
  said.split("\n").filter((line) => line.trim() !== "" && !/^\S+Z \[.*\] INFO/.test(line));

const judge = async (scenario, left = scenario === timed ? tries : 1) => {
  const { passed, said } = await attempt(scenario);
  if (!passed && left > 1) return judge(scenario, left - 1);
  if (passed) passes += 1;
  const known = expected.delete(scenario);
  if (passed !== known) {
    return console.log(`${passed ? "passes" : "fails, as expected"}: ${scenario}`);
  }
  const why = passed
    ? "passes, and is expected to fail: take it from the list"
    : `fails:\n${worthReading(said).slice(-30).join("\n")}`;
  wrong.push(`${scenario} ${why}`);
};

const [, , only] = process.argv;
const listed = (await conformance(["list", "--client"])).stdout.matchAll(/^ +- (\S+)/gm);
const scenarios = [...listed].map(([, name]) => name).filter((name) => (only ?? name) === name);
if (scenarios.length === 0) wrong.push("The suite lists no such scenarios.");
if (scenarios.includes(timed)) await judge(timed);
const queue = scenarios.filter((name) => name !== timed);
const work = async () => {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) await judge(next);
};
await Promise.all(Array.from({ length: atOnce }, work));

if (only === undefined) {
  wrong.push(
    ...[...expected].map((name) => `${name} is on the list, and there is no such scenario`),
  );
}
console.log(`${passes} of ${scenarios.length} scenarios pass, ${wrong.length} surprises`);
for (const one of wrong) console.error(one);
process.exitCode = wrong.length > 0 ? 1 : 0;
