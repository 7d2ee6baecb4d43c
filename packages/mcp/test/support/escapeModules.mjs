// Calls every function of every module of Node.js with the path of a file, in case one of them
// reads or writes it. Notes each function before its calls: `call NAME`, `leak NAME` if a result
// contains the file's text, `done` at the end. Some calls end the process. The next process
// continues after the last function, whose number is the second argument.
import { appendFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";

const [path, from] = process.argv.slice(2);
const url = pathToFileURL(path);
const note = (line) => appendFileSync(join(process.env.HOME, "calls"), `${line}\n`);

/** Functions that block this process, end it, only write to its output, or return its own memory. */
const skipped =
  /^console\.|^process\.(?:abort|exit|reallyExit|openStdin|_rawDebug|_debugProcess|_kill|kill)$|^inspector.*\.\w+\.\w+$|^v8.getHeapSnapshot$|\.(?:wait\w*|HTTPParser)$/i;

/** The names of modules that the list contains only with the prefix `node:`. */
const prefixed = ["sqlite", "test", "test/reporters", "sea", "ffi", "vfs"];

const modules = [["process", process]];
for (const name of [...builtinModules, ...prefixed.map((name) => `node:${name}`)]) {
  const found = process.getBuiltinModule(name);
  if (found !== undefined) modules.push([name, found]);
}

const methodsOf = (name, value, depth = 0) =>
  Object.entries(Object.getOwnPropertyDescriptors(value ?? {})).flatMap(
    ([key, { value: method }]) => {
      if (skipped.test(`${name}.${key}`)) return [];
      if (typeof method === "function") return [{ name: `${name}.${key}`, method, value }];
      const isNested = typeof method === "object" && depth < 1;
      return isNested ? methodsOf(`${name}.${key}`, method, depth + 1) : [];
    },
  );

const quiet = () => {};
process.on("uncaughtException", quiet).on("unhandledRejection", quiet);

const judge = (name, result) => {
  const text = Buffer.isBuffer(result) ? result.toString() : inspect(result, { depth: 4 });
  if (text.includes("canary")) note(`leak ${name}`);
};

const judgeLater = (name, result) => {
  judge(name, result);
  if (typeof result?.then === "function") result.then((value) => judge(name, value), quiet);
  if (typeof result?.on === "function") {
    result.on("data", (chunk) => judge(name, chunk)).on("error", quiet);
  }
};

const methods = modules.flatMap(([name, exported]) => methodsOf(name, exported));
for (const { method, name, value } of methods.slice(Number(from))) {
  note(`call ${name}`);
  const callback = (...results) => results.forEach((result) => judge(name, result));
  const options = { path, filename: path, file: path, cwd: path };
  for (const args of [
    [path],
    [url],
    [options],
    [path, {}],
    [path, "utf8"],
    [path, path],
    [path, callback],
    [path, "r", callback],
  ]) {
    for (const call of [
      () => Reflect.apply(method, value, args),
      () => Reflect.construct(method, args),
    ]) {
      try {
        judgeLater(name, call());
      } catch {
        // The sandbox denies the call, or the arguments are invalid.
      }
    }
  }
}
await sleep(200);
note("done");
process.exit(0);
