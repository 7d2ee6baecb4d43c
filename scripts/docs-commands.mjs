// Runs every fenced command of every page, in the order of the page, as a user would: with the
// program installed from its packed package, in a separate folder, against a separate server. Fails
// if a command fails or its output differs from the page. `scripts/docs/blocks.ts` lists the
// comments that direct it.
//
//   node scripts/docs-commands.mjs [PAGE...]
import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { freePort } from "../packages/http/test/support/freePort.ts";
import { run, scratch } from "./ci/processes.mjs";
import { isAsShown, stepsOf } from "./docs/blocks.ts";

const root = join(import.meta.dirname, "..");
const pages =
  process.argv.length > 2
    ? process.argv.slice(2)
    : globSync(["*.md", "docs/**/*.md", "packages/*/README.md", "plugins/README.md"], {
        cwd: root,
      });

/** In milliseconds. npm takes most of a page's time, because it installs packages. */
const timeLimit = 240_000;

const bin = join(scratch, "bin");
const prefix = join(scratch, "global");
mkdirSync(bin);
mkdirSync(prefix);
symlinkSync(process.execPath, join(bin, "node"));
const npmCache = execFileSync("npm", ["config", "get", "cache"], { encoding: "utf8" }).trim();
const environment = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^QM_|^npm_/.test(name))),
  PATH: `${join(prefix, "bin")}:${bin}:${process.env.PATH}`,
  npm_config_cache: npmCache,
  npm_config_prefix: prefix,
  npm_config_prefer_offline: "true",
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_update_notifier: "false",
  npm_config_loglevel: "error",
};

/**
 * A script with all commands of the page: one shell preserves the variables and the folder. It
 * prints the number of each block before it runs it.
 */
const scriptOf = (steps, home) => {
  const lines = [
    "set -e",
    "pids=()",
    // The delay lets a server stop its own programs.
    `trap 'for pid in "\${pids[@]}"; do kill "$pid" 2>/dev/null || true; done; wait' EXIT`,
    `ready() { for _ in $(seq 300); do curl -sf -o /dev/null "$1" && return; kill -0 "\${pids[-1]}" || return 1; sleep 0.1; done; return 1; }`,
    "mkdir work && cd work",
  ];
  steps.forEach((step, index) => {
    lines.push(`printf '\\n::%s::\\n' ${index}`);
    if (step.kind === "file") {
      lines.push(`cat >${step.name} <<'END OF FILE'\n${step.text}END OF FILE`);
    } else if (step.kind === "stop") {
      lines.push(`kill "\${pids[-1]}"; wait "\${pids[-1]}" || true; unset 'pids[-1]'`);
    } else if (step.until !== null) {
      const log = join(home, `background-${index}.log`);
      lines.push(`exec_block() { exec ${step.text.trim()}; }`);
      lines.push(
        `exec_block >${log} 2>&1 & pids+=($!)`,
        `ready ${step.until} || { cat ${log}; false; }`,
      );
    } else if (step.kind === "run") {
      if (step.inClone) lines.push(`pushd ${root} >/dev/null`);
      lines.push(step.text.trimEnd());
      if (step.inClone) lines.push("popd >/dev/null");
    }
  });
  lines.push("printf '\\n::%s::\\n' end");
  return lines.join("\n");
};

const checkPage = async (page) => {
  const home = join(scratch, page.replaceAll(/\W+/g, "-"));
  mkdirSync(home);
  const ports = { 7420: await freePort(), 3000: await freePort() };
  const local = (text) =>
    text
      .replaceAll(/\b(7420|3000)\b/g, (port) => String(ports[port]))
      .replaceAll(/(?<![\w.~/-])\/(opt|var\/lib|backup)(?=\/)/g, `${home}/$1`);
  const steps = stepsOf(readFileSync(join(root, page), "utf8")).map((step) => ({
    ...step,
    text: local(step.text),
    until: step.until && local(step.until),
    expected: step.expected && local(step.expected),
  }));
  const skipped = steps.filter(({ kind }) => kind === "skip").map(({ name }) => `${page}: ${name}`);
  const commands = steps.filter(({ kind }) => kind === "run").length;
  if (commands === 0) return { commands, skipped, failure: null };
  const script = `export QM_PORT=${ports[7420]}\n${scriptOf(steps, home)}`;
  const { code, stdout, stderr } = await run("bash", ["-c", script], {
    cwd: home,
    env: { ...environment, HOME: home, XDG_CONFIG_HOME: join(home, ".config"), QM_LOG: "json" },
    timeLimit,
  });
  const outputs = stdout.split(/^\n?::(\w+)::\n/m);
  const reached = outputs.at(-2);
  const failed = reached === "end" ? undefined : steps[Number(reached)];
  const wrong = steps.find(
    ({ expected }, index) =>
      expected !== null && !isAsShown(expected, outputs[outputs.indexOf(String(index)) + 1] ?? ""),
  );
  if (failed !== undefined) {
    return {
      commands,
      skipped,
      failure: `${failed.text}ended with ${code}:\n${outputs.at(-1)}${stderr.slice(-2_000)}`,
    };
  }
  if (wrong === undefined) return { commands, skipped, failure: null };
  const output = outputs[outputs.indexOf(String(steps.indexOf(wrong))) + 1];
  return {
    commands,
    skipped,
    failure: `${wrong.text}is to print\n${wrong.expected}and printed\n${output}${stderr.slice(-2_000)}`,
  };
};

if (!(await run("curl", ["--help", "all"])).stdout.includes("--json")) {
  console.log("The pages use curl 7.82 or newer, which this machine does not have.");
  process.exit(77);
}

const packed = JSON.parse(
  execFileSync("npm", ["pack", "--json", "-w", "packages/server", "--pack-destination", scratch], {
    cwd: root,
    encoding: "utf8",
  }),
);
execFileSync("npm", ["install", "--global", join(scratch, basename(packed[0].filename))], {
  env: environment,
  stdio: "inherit",
});

let ran = 0;
const left = [];
for (const page of pages.toSorted()) {
  const started = Date.now();
  const { commands, skipped, failure } = await checkPage(page);
  left.push(...skipped);
  if (failure !== null) {
    console.log(`FAIL  ${page}\n${failure}`);
    process.exitCode = 1;
  } else if (commands > 0) {
    ran += commands;
    console.log(
      `ok    ${page}: ${commands} blocks (${Math.round((Date.now() - started) / 1_000)} s)`,
    );
  }
}
console.log(`${ran} blocks ran. ${left.length} were left out:`);
for (const reason of left) console.log(`  ${reason}`);
