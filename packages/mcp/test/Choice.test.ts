import { assert, describe, it } from "@effect/vitest";
import { Sandbox } from "@quartermaster/core";
import * as Choice from "../src/programs/sandboxes/Choice.ts";
import { deniesNetwork } from "../src/programs/sandboxes/NodePermissions.ts";
import type { Setting } from "../src/programs/sandboxes/Sandboxes.ts";

const need = (overrides: Partial<Sandbox.Need> = {}): Sandbox.Need => ({
  runtime: "node",
  isLocal: false,
  isOwn: false,
  command: "mcp-notes",
  sandbox: Sandbox.defaults,
  ...overrides,
});
const declares = (sandbox: Partial<Sandbox.Sandbox>) =>
  need({ sandbox: { ...Sandbox.defaults, ...sandbox } });
const local = (command: string, sandbox: Sandbox.Sandbox | null) =>
  need({ runtime: "none", isLocal: true, command, sandbox });

describe("the sandbox of a program", () => {
  it.each<readonly [what: string, Setting, Sandbox.Need, deniesNetwork: boolean, string]>([
    ["a JavaScript package", "auto", need(), false, "bubblewrap node direct"],
    [
      "a package that declares nothing",
      "auto",
      need({ sandbox: null }),
      false,
      "bubblewrap node direct",
    ],
    ["a Python package", "auto", need({ runtime: "python" }), false, "bubblewrap direct"],
    ["worker threads", "auto", declares({ workers: true }), true, "bubblewrap direct"],
    ["worker threads", "node", declares({ workers: true }), true, "direct"],
    ["child processes", "auto", declares({ childProcesses: true }), false, "bubblewrap direct"],
    [
      "no network, Node cannot deny it",
      "auto",
      declares({ network: false }),
      false,
      "bubblewrap direct",
    ],
    ["no network, Node can", "auto", declares({ network: false }), true, "bubblewrap node direct"],
    ["a local program that declares nothing", "auto", local("/opt/tool", null), false, "direct"],
    [
      "a local program that declares",
      "auto",
      local("/opt/tool", Sandbox.defaults),
      false,
      "bubblewrap direct",
    ],
    [
      "a local script that declares",
      "auto",
      local("/usr/bin/node", Sandbox.defaults),
      false,
      "bubblewrap node direct",
    ],
    ["a local script by name", "node", local("/opt/tool.mjs", null), false, "node"],
    ["a JavaScript package", "node", need(), false, "node"],
    [
      "a Python package, for which Node does nothing",
      "node",
      need({ runtime: "pipx" }),
      false,
      "direct",
    ],
    ["child processes", "node", declares({ childProcesses: true }), false, "direct"],
    [
      "a local program that declares nothing",
      "bubblewrap",
      local("/opt/tool", null),
      false,
      "bubblewrap",
    ],
    ["a Python package", "docker", need({ runtime: "python" }), false, "docker"],
    ["a JavaScript package", "direct", need(), true, "direct"],
  ])("[sandbox.choice] %s under %s", (_, setting, need, denies, expected) => {
    assert.strictEqual(
      Choice.sandboxesFor({ setting, allowDirect: false, deniesNetwork: denies }, need).join(" "),
      expected,
    );
  });

  it.each<readonly [what: string, Setting, Partial<Sandbox.Need>, allowDirect: boolean, string]>([
    ["a package", "auto", {}, false, "bubblewrap"],
    ["a package, allowed", "auto", {}, true, "bubblewrap direct"],
    ["a Python package", "auto", { runtime: "python" }, false, "bubblewrap"],
    [
      "a local program",
      "auto",
      { isLocal: true, runtime: "none", sandbox: null },
      false,
      "bubblewrap",
    ],
    ["a local program, allowed", "auto", { isLocal: true, sandbox: null }, true, "direct"],
    ["a package", "direct", {}, false, "bubblewrap"],
    ["a package, allowed", "direct", {}, true, "direct"],
    ["a package", "node", {}, false, "node"],
    ["a Python package", "node", { runtime: "python" }, false, "bubblewrap"],
    ["a package", "docker", {}, false, "docker"],
  ])(
    "[sandbox.unvetted] %s of an Owner under %s",
    (_, setting, overrides, allowDirect, expected) => {
      const own = need({ isOwn: true, ...overrides });
      const policy = { setting, allowDirect, deniesNetwork: false };
      assert.strictEqual(Choice.sandboxesFor(policy, own).join(" "), expected);
    },
  );

  it("[sandbox.choice] Node denies the network since version 25", () => {
    const versions = ["v22.19.0", "v24.21.0", "v25.0.0", "v26.10.0"];
    assert.deepStrictEqual(versions.map(deniesNetwork), [false, false, true, true]);
  });
});
