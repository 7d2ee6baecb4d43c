// The service of systemd, as docs/operating has it: boots the systemd of a copy of this Debian in namespaces, runs the
// commands of its pages in it with the packed package, and starts an MCP server under bubblewrap in the service. Prints
// the exposure that `systemd-analyze security` reports. Ends with 77 without systemd, root or namespaces.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../packages/http/test/support/freePort.ts";
import { asker } from "./ci/built-server.mjs";
import * as Overlay from "./ci/overlay.mjs";
import { runsSandboxed } from "./ci/own-servers.mjs";
import { run, start } from "./ci/processes.mjs";
import { check, Skipped } from "./ci/published.mjs";
import { stepsOf } from "./docs/blocks.ts";

const root = join(import.meta.dirname, "..");
const systemd = "/lib/systemd/systemd";
const unit = "/etc/systemd/system/quartermaster.service";

/** The backup that the page restores. */
const backup = `install -d -o quartermaster /backup/nightly
  runuser -u quartermaster -- env QM_DATA_DIR=/var/lib/quartermaster \\
    /opt/quartermaster/bin/quartermaster backup --keys /backup/nightly/quartermaster-2026-01-31`;

const stepsIn = (page) => stepsOf(readFileSync(join(root, "docs/operating", page), "utf8"));

/** The commands of a page that need the service. */
const commandsOf = (page) =>
  stepsIn(page)
    .filter(({ name }) => name.includes("scripts/unit.mjs"))
    .map(({ text }) => text);

/** The commands that install the package. */
const installation = stepsIn("deployment.md")
  .filter(({ inClone, kind }) => kind === "run" && !inClone)
  .map(({ text }) => text);

/** Boots systemd with only its journal, and a cgroup of its own. */
const boot = (port) => {
  const settings = { ...Overlay.network, QM_PORT: port, QM_LOG: "json" };
  const lines = Object.entries(settings).map(([name, value]) => `Environment=${name}=${value}\n`);
  const folder = join(Overlay.copy, "etc/systemd/system");
  Overlay.sh(`mkdir "$1"`, join(folder, "quartermaster.service.d"));
  writeFileSync(join(folder, "quartermaster.service.d/check.conf"), `[Service]\n${lines.join("")}`);
  Overlay.sh(
    `cd "$1"
    rm -rf opt/quartermaster var/lib/quartermaster* backup
    : > etc/fstab
    echo 0123456789abcdef0123456789abcdef > etc/machine-id
    rm -rf etc/systemd/system/*.wants
    find lib/systemd/system/*.wants -mindepth 1 ! -name "systemd-journald*" -delete
    grep -q "^quartermaster:" etc/passwd && userdel --prefix "$1" quartermaster || true`,
    Overlay.copy,
  );
  const cgroup = join(Overlay.volume, "cgroup");
  const own = join(cgroup, `quartermaster-unit-${process.pid}`);
  Overlay.sh(`mkdir "$1"; mount -t cgroup2 cgroup2 "$1"; mkdir "$2"`, cgroup, own);
  const child = start(
    "sh",
    [
      "-euc",
      `echo $$ > "$2/cgroup.procs"
      exec unshare --mount --pid --uts --ipc --cgroup --fork --kill-child sh -euc '
        mount --bind "$1" "$1"
        ${Overlay.enter(`
          mount -t tmpfs tmpfs run
          mount -t tmpfs -o mode=1777 tmpfs tmp
          mount -t sysfs -o ro sysfs sys
          mount -t cgroup2 cgroup2 sys/fs/cgroup`)}
        exec env -i container=other ${systemd} --unit=basic.target --log-target=null' sh "$1"`,
      "sh",
      Overlay.copy,
      own,
    ],
    { env: Overlay.environment, stdio: ["ignore", "inherit", "inherit"] },
  );
  const inside = async (text) => {
    const pid = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim();
    const { code, stderr, stdout } = await run(
      "nsenter",
      ["--target", pid, "--mount", "--pid", "--root", "--wd", "sh", "-euc", text],
      { env: { ...Overlay.environment, HOME: "/root" } },
    );
    assert.equal(code, 0, `${text} ended with ${code}:\n${stdout}${stderr}`);
    return stdout.trim();
  };
  const end = async () => {
    child.kill("SIGKILL");
    await sleep(500);
    Overlay.sh(`find "$1" -depth -type d -exec rmdir {} +; umount "$2"`, own, cgroup);
  };
  return { inside, end };
};

/** Tries until the body does not fail. */
const until = async (body) => {
  for (let tries = 0; tries < 100; tries += 1) {
    const failure = await body().then(
      () => null,
      (error) => error,
    );
    if (failure === null) return;
    if (tries === 99) throw failure;
    await sleep(200);
  }
};

const checkService = async ({ inside }, port) => {
  await until(() => inside("systemctl is-active basic.target"));
  for (const text of [...installation, ...commandsOf("deployment.md")]) await inside(text);
  const url = `http://127.0.0.1:${port}`;
  const answers = () =>
    until(async () => assert.ok((await fetch(`${url}/readyz`)).ok)).catch(async () =>
      assert.fail(
        await inside("systemctl status quartermaster; journalctl -u quartermaster -n 20"),
      ),
    );
  await answers();
  assert.equal(await inside(`systemd-analyze verify ${unit} 2>&1`), "");
  const security = `systemd-analyze security --offline=true --threshold=35 ${unit}`;
  console.log((await inside(security)).split("\n").at(-1));
  console.log("ok: the commands of the page start the service");
  const key = await inside("cat /var/lib/quartermaster/owner-key");
  const ask = asker(url, key, { "x-forwarded-proto": "https" });
  await runsSandboxed(ask);
  const { version } = JSON.parse(readFileSync(join(root, "packages/server/package.json"), "utf8"));
  for (const text of commandsOf("upgrade.md")) {
    await inside(text.replaceAll(/quartermaster-[\d.]+\.tgz/g, `quartermaster-${version}.tgz`));
  }
  await answers();
  await inside(backup);
  for (const text of commandsOf("backup.md")) await inside(text);
  await answers();
  assert.equal((await ask("GET", "/api/mcp/installed")).length, 1);
  await inside("systemctl stop quartermaster");
  const result = "systemctl show --value --property Result quartermaster";
  assert.equal(await inside(result), "success");
  console.log(
    "ok: the commands of an upgrade and a restore restart the service, and it stops in order",
  );
};

const perform = async () => {
  Overlay.mount();
  const home = join(Overlay.copy, "root");
  execFileSync("npm", ["pack", "-w", "packages/server", "--pack-destination", home], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const port = await freePort();
  const machine = boot(port);
  try {
    await checkService(machine, port);
  } finally {
    await machine.end();
  }
};

await check(async () => {
  if (!existsSync(systemd)) throw new Skipped("This machine does not have systemd.");
  await Overlay.inNamespace(import.meta.filename, perform);
});
