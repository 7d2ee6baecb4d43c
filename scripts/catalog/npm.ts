// npm, run by the Node.js that runs this script, and the reasons for its failures.
import { execFile } from "node:child_process";
import { delimiter, dirname } from "node:path";
import { promisify, stripVTControlCharacters } from "node:util";

const run = promisify(execFile);
const ending = new AbortController();
process.once("exit", () => ending.abort());

export const path = [dirname(process.execPath), process.env["PATH"]].join(delimiter);

export const npm = (args: ReadonlyArray<string>, cwd?: string, timeoutMillis = 300_000) =>
  run("npm", args, {
    cwd,
    // Keeps npm's output readable if the npm that runs this script is configured to be silent.
    env: { ...process.env, PATH: path, npm_config_loglevel: "warn" },
    maxBuffer: 64 << 20,
    signal: ending.signal,
    timeout: timeoutMillis,
  });

/** One line that fits a cell of a table. */
export const line = (text: string, max = 160) => {
  const flat = stripVTControlCharacters(text)
    .replaceAll(/[\s|`]+/g, " ")
    .trim();
  return flat.length > max ? `${flat.slice(0, max)}...` : flat;
};

export const reasonOf = (error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  const said = text.split("\n").filter((part) => part.includes("npm error"));
  return line(said.find((part) => !/npm error (?:code|syscall|errno) /.test(part)) ?? text);
};

/** Errors of the network or of a proxy. Everything else is a response of the registry. */
const noAnswer =
  /^(?:EAI_AGAIN|ECONN\w+|EHOSTUNREACH|ENETUNREACH|ENOTCACHED|ENOTFOUND|EPIPE|ERR_SOCKET_TIMEOUT|ETIMEDOUT|E429|E5\d\d)$/;

/** The reason why the registry is unreachable; null if npm failed for another reason. */
export const unreachable = (error: unknown): string | null => {
  const { killed, stderr = "" } = error as {
    readonly killed?: boolean;
    readonly stderr?: string;
  };
  if (killed === true) return "npm took too long";
  const code = /^npm (?:error|ERR!) code (\S+)$/m.exec(stderr)?.[1];
  if (code === undefined || !noAnswer.test(code)) return null;
  const said = /^npm (?:error|ERR!) (?:\w+ )?((?:FetchError: )?request to .*)$/m.exec(stderr)?.[1];
  return said === undefined ? code : `${code}: ${line(said)}`;
};
