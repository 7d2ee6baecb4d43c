// The checks that `npm test` runs before the tests: types, and in parallel the lint and the build
// of the programs that tests start. tsc uses little more than one processor, and takes longer than
// the others together.
import { spawn } from "node:child_process";

/** Runs a command and prints its whole output when it exits. Resolves to true if it succeeded. */
const check = (command, ...args) =>
  new Promise((resolve) => {
    const child = spawn(command, args, { shell: process.platform === "win32" });
    let output = "";
    const collect = (chunk) => {
      output += chunk;
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.once("error", ({ message }) => collect(`${command}: ${message}\n`));
    child.once("close", (code) => {
      process.stdout.write(output);
      resolve(code === 0);
    });
  });

const passed = await Promise.all([
  check("tsc", "-b", "--checkers", "1", "--pretty"),
  check("npm", "run", "-s", "lint"),
  check("node", "scripts/build.mjs", "--program", "--tests", "--quiet"),
]);
if (passed.includes(false)) process.exitCode = 1;
