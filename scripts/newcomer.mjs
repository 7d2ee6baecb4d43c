// The steps of a newcomer with only the README: `npm start`, a click on the link, a server from the
// registry (installed, verified, enabled and granted), two linked issues, a runner that asks a
// question and gets an answer, and two reviews. All steps use a browser like a person, by roles and
// labels. SCREENSHOTS names a folder for a picture of each step.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { browser as findBrowser } from "./ci/browser.mjs";
import { bin } from "./ci/built-server.mjs";
import { end, run, scratch, start } from "./ci/processes.mjs";
import { check, Skipped } from "./ci/published.mjs";

const root = join(import.meta.dirname, "..");
const dataDir = join(scratch, "data");
const { SCREENSHOTS } = process.env;

/** The protocol's own test server, in the format of the official registry of MCP servers. */
const everything = JSON.stringify({
  name: "io.github.modelcontextprotocol/everything",
  description: "A tool for each feature of the protocol.",
  version: "2026.8.31",
  packages: [
    {
      registryType: "npm",
      identifier: "@modelcontextprotocol/server-everything",
      version: "2026.8.31",
      transport: { type: "stdio" },
      packageArguments: [{ type: "positional", value: "stdio" }],
    },
  ],
});

/**
 * The agent's program: it asks which greeting to use, repeats it through the granted tool, and
 * finishes for review.
 */
const agent = `
import { execFileSync } from "node:child_process";
import { setTimeout } from "node:timers/promises";
const { QM_ISSUE_ID, QM_KEY, QM_URL } = process.env;
const headers = { authorization: "Bearer " + QM_KEY, "content-type": "application/json" };
const ask = async (path, body) => {
  const answer = await fetch(QM_URL + "/api/projects/" + path, body === undefined
    ? { headers } : { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
};
let question = await ask("issues/" + QM_ISSUE_ID + "/questions", {
  prompt: "Which greeting?", kind: "choice", options: ["Good day", "Ahoy"],
});
while (question.status === "open") {
  await setTimeout(300);
  question = await ask("questions/" + question.id);
}
process.stdout.write(execFileSync(process.execPath, [${JSON.stringify(bin)},
  "tool", "call", "everything__echo", "--arguments", JSON.stringify({ message: question.answer })]));
`;

const program = join(scratch, "agent.mjs");

/**
 * Starts the server as the README describes, on a terminal. Returns the process and the printed
 * link.
 */
const startServer = async () => {
  const { code, stdout } = await run("script", ["--version"]);
  if (code !== 0 || !stdout.includes("util-linux")) {
    throw new Skipped(
      "There is no `script` of util-linux here, which runs a command on a terminal.",
    );
  }
  const server = start("script", ["-qfec", "exec npm start", "/dev/null"], {
    cwd: root,
    env: { ...process.env, QM_PORT: "0", QM_DATA_DIR: dataDir },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const link = await new Promise((resolve, reject) => {
    let text = "";
    server.stdout.on("data", (chunk) => {
      text += chunk;
      const [found] = /http:\S+\/#sign-in=[0-9a-f]{64}(?=\s)/.exec(text) ?? [];
      if (found !== undefined) resolve(found);
    });
    server.once("exit", (ended) => reject(new Error(`npm start ended with ${ended}: ${text}`)));
  });
  return { link, server };
};

/** The environment of the command line: a separate home. */
const cli = { cwd: root, env: { ...process.env, HOME: scratch, XDG_CONFIG_HOME: scratch } };

const startRunner = async (url) => {
  const keyFile = join(dataDir, "owner-key");
  const login = [bin, "login", url, "--key-file", keyFile];
  const { code, stderr } = await run(process.execPath, login, cli);
  assert.equal(code, 0, stderr);
  writeFileSync(program, agent);
  const command = ["work", "--agent", "agent-1", "--", process.execPath, program];
  return start(process.execPath, [bin, ...command], {
    ...cli,
    stdio: ["ignore", "ignore", "inherit"],
  });
};

const installServer = async (page, step) => {
  await page.getByRole("link", { name: "Servers", exact: true }).click();
  await page.getByRole("heading", { name: "No servers yet" }).waitFor();
  await step("servers-empty");
  await page.getByRole("button", { name: "Import" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Configuration").fill(everything);
  await step("import");
  await dialog.getByRole("button", { name: "Create entry" }).click();
  await page.getByRole("link", { name: /^Open / }).click();
  await page.getByLabel("Name", { exact: true }).fill("everything");
  await step("entry");
  await page.getByRole("button", { name: "Install", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "everything" }).waitFor();
  const verification = page.getByRole("region", { name: "Verification" });
  const ended = verification.getByText(/^(OK|Failed|Timed out)$/);
  await ended.first().waitFor({ timeout: 400_000 });
  await step("verified");
  const said = await verification.innerText();
  if (/npm error code (ENOTFOUND|EAI_AGAIN|ECONN|ENETUNREACH|E?TIMEDOUT|E5\d\d)/.test(said)) {
    throw new Skipped("The registry has to be reached for the server.");
  }
  assert.match(said, /\bOK\b/);
  await page.getByRole("button", { name: "Enable", exact: true }).click();
  await page.getByText("Enabled", { exact: true }).waitFor();
  await page.getByRole("tab", { name: "Access" }).click();
  await page.getByLabel("Agent to grant the server to").fill("agent-1");
  await page.getByRole("button", { name: "Grant", exact: true }).click();
  await page.getByText("All tools").first().waitFor();
  await step("granted");
  console.log("ok: the server is installed, verified, enabled and granted");
};

const createIssues = async (page, step) => {
  await page.getByRole("link", { name: "Work", exact: true }).click();
  await page.getByRole("heading", { name: "No issues yet" }).waitFor();
  await step("work-empty");
  for (const title of ["Greet the guests", "Greet the hosts"]) {
    await page.getByRole("button", { name: "New issue" }).first().click();
    const dialog = page.getByRole("dialog", { name: "New issue" });
    await dialog.getByLabel("Title").fill(title);
    await dialog.getByLabel("Project").fill("shop");
    await dialog.getByLabel("Agent").fill("agent-1");
    await page.getByRole("option", { name: "agent-1" }).click();
    await step("new-issue");
    await dialog.getByRole("button", { name: "Create issue" }).click();
    if (title === "Greet the guests") {
      // The first issue of a project: the project is created on the way.
      const project = page.getByRole("dialog", { name: "New project" });
      await step("new-project");
      await project.getByRole("button", { name: "Create project" }).click();
      await project.waitFor({ state: "detached" });
      await dialog.getByRole("button", { name: "Create issue" }).click();
    }
    await dialog.waitFor({ state: "detached" });
  }
  await page.getByRole("link", { name: "Greet the hosts" }).first().click();
  await page.getByRole("button", { name: "Add a blocker" }).click();
  await page.getByRole("combobox", { name: "Blocked by…" }).fill("guests");
  await page.getByRole("option", { name: "Greet the guests" }).click();
  await page.getByRole("button", { name: "Status Waiting" }).waitFor();
  await step("linked");
  console.log("ok: one of two issues waits for the other");
};

/** Picks an answer to the question about the issue, which then returns for a review. */
const answer = async (page, step, title) => {
  await page.getByRole("link", { name: /^Inbox/ }).click();
  const rows = page.getByRole("list", { name: "Items" });
  await rows
    .getByRole("button", { name: new RegExp(title) })
    .first()
    .click({ timeout: 90_000 });
  const of = page.getByRole("article", { name: new RegExp(title) });
  await of.getByText("Which greeting?").waitFor({ timeout: 90_000 });
  await step("question");
  await of.getByRole("button", { name: "Ahoy" }).click();
  await of.getByRole("button", { name: "Approve" }).waitFor({ timeout: 90_000 });
  await of.getByText("Echo: Ahoy").waitFor();
  await step("review");
};

const walk = async (page, link, step) => {
  await page.goto(link);
  await page.getByRole("heading", { name: "Inbox" }).waitFor();
  await step("inbox-empty");
  await installServer(page, step);
  await createIssues(page, step);
  const runner = await startRunner(new URL(link).origin);
  await answer(page, step, "Greet the guests");
  await page.getByRole("button", { name: "Approve" }).click();
  console.log("ok: the first issue is asked about, answered, handed in and approved in the inbox");
  await answer(page, step, "Greet the hosts");
  await page.getByRole("link", { name: "Greet the hosts" }).first().click();
  await page.getByRole("button", { name: "Actions" }).click();
  await page.getByRole("menuitem", { name: "Approve" }).click();
  await page.getByRole("button", { name: "Status Resolved" }).waitFor();
  await step("resolved");
  console.log("ok: so is the second one, which is approved on its page");
  await end(runner);
};

await check(async () => {
  const executablePath = await findBrowser();
  const { link, server } = await startServer();
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } });
  page.setDefaultTimeout(30_000);
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== new URL(link).origin) complaints.push(request.url());
  });
  let steps = 0;
  const step = async (name) => {
    if (SCREENSHOTS === undefined) return;
    mkdirSync(SCREENSHOTS, { recursive: true });
    const path = join(SCREENSHOTS, `newcomer-${String(++steps).padStart(2, "0")}-${name}.png`);
    await page.screenshot({ path });
  };
  try {
    await walk(page, link, step);
    assert.deepEqual(complaints, []);
  } catch (error) {
    await step("failed").catch(() => {});
    throw error;
  } finally {
    await browser.close();
    await end(server);
  }
});
