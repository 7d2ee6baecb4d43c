import { fileURLToPath } from "node:url";
import { chromium, type Page } from "playwright-core";
import { options, sizes } from "../../packages/dashboard/test/support/Chromium.ts";
import { signIn } from "../../packages/dashboard/test/support/SignIn.ts";
import { ask } from "../api.ts";
import * as Processes from "../processes.ts";
import * as Report from "../report.ts";
import * as Seed from "../seed.ts";

/** A server with issues, and signed-in pages of it in a new browser each. */

const inPage = fileURLToPath(new URL("page.mjs", import.meta.url));

/** The number of statuses in the corpus, each a column with cards. */
export const columns = 4;

export interface Opened {
  readonly page: Page;
  readonly close: () => Promise<void>;
}

/**
 * Starts a server with this number of issues, which has already served the board. `end` stops it.
 */
export const start = async (name: string, issues: number) => {
  const dataDir = Processes.path(name);
  Report.progress(`${name}: seeding ${Report.count(issues)} issues`);
  await Seed.quartermaster(dataDir, { issues, projects: 4, isVaried: true });
  const server = await Processes.quartermaster(dataDir);
  for (let request = 0; request < 200; request++) {
    await ask(server, "GET", "/api/projects/issues?view=brief&status=Open");
  }
  const end = async () => {
    await server.end();
    Processes.remove(name);
  };
  return { server, end };
};

/** Opens a path in a browser with an empty cache, after `prepare` has set up the page. */
export const open = async (
  { key, port }: Processes.Server,
  path: string,
  prepare: (page: Page) => Promise<unknown> = async () => {},
): Promise<Opened> => {
  const browser = await chromium.launch(options);
  const context = await browser.newContext({ viewport: sizes.wide, reducedMotion: "reduce" });
  const base = `http://127.0.0.1:${port}`;
  await signIn(context, base, key);
  await context.addInitScript({ path: inPage });
  const page = await context.newPage();
  await prepare(page);
  await page.goto(base + path, { waitUntil: "commit" });
  return { page, close: () => browser.close() };
};

/** Runs code in the page: see `page.mjs`. */
export const run = <A>(page: Page, code: string): Promise<A> => page.evaluate<A>(code);

/** Waits until the board has cards, and the page has read the event stream. */
export const settled = async (page: Page): Promise<void> => {
  await run(page, `bench.interactive(${columns})`);
  await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
};
