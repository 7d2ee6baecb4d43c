import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { assert, onTestFinished } from "@effect/vitest";
import type { Page } from "playwright-core";
import { type Answer, as } from "../../../http/test/support/Client.ts";
import { type End, Quartermaster, temporaryFolder } from "../../../server/test/Quartermaster.ts";
import { launch, type sizes, type Theme } from "./Browser.ts";
import { signIn } from "./SignIn.ts";

/**
 * The setup of the tests of screens: the built program on a free port, and pages in Chromium,
 * signed in with the Owner key. The test fails at its end if the browser logged an error or blocked
 * a request.
 */

export interface Screens {
  readonly server: Quartermaster;
  readonly dataDir: string;
  /** A call with the Owner key, as an agent or another person would make it. */
  readonly call: (method: string, path: string, body?: unknown) => Promise<Answer>;
  readonly open: (path: string, options?: PageOptions) => Promise<Page>;
}

export interface PageOptions {
  readonly size?: keyof typeof sizes;
  readonly theme?: Theme;
  /** Default: the Owner key. Null opens the page without a session. */
  readonly key?: string | null;
  /** The whole URL. Default: the path on the server. */
  readonly url?: string;
}

/** True for a log line about a request that the test itself rejected or aborted. */
const isExpected = (text: string) =>
  /status of (400|401|403|404|409|412|422)|net::ERR_|preload CSS/.test(text);

/** Two forms that differ in both. The walk over every screen sees the other forms. */
export const opposites = [
  { theme: "light", size: "wide" },
  { theme: "dark", size: "narrow" },
] as const;

/** Folder for screenshots. Without the variable the tests take none. */
const { SCREENSHOTS } = process.env;

/** Takes a screenshot for a person to review. */
export const shoot = async (page: Page, name: string): Promise<void> => {
  if (SCREENSHOTS === undefined) return;
  await mkdir(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
};

/**
 * Opens a page of the dashboard at `base`, signed in with the key. It closes when the test ends.
 */
export const openPage = async ({
  base,
  key,
  size = "wide",
  theme = "light",
  url,
}: Required<Pick<PageOptions, "key" | "url">> &
  PageOptions & { readonly base: string }): Promise<Page> => {
  const context = await launch(size, theme);
  const complaints: Array<string> = [];
  onTestFinished(async () => {
    // A route handler that still fetches would reject when the window closes, which fails the run.
    for (const one of context.pages()) await one.unrouteAll({ behavior: "ignoreErrors" });
    await context.close();
    assert.deepStrictEqual(complaints, []);
  });
  if (key !== null) await signIn(context, base, key);
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    const text = message.text();
    if (["error", "warning"].includes(message.type()) && !isExpected(text)) complaints.push(text);
  });
  await page.goto(url);
  return page;
};

/** Starts the server. It stops at the end of the test or of the file, depending on `end`. */
export const start = async (
  end: End = onTestFinished,
  env: Readonly<Record<string, string>> = {},
): Promise<Screens> => {
  const dataDir = join(await temporaryFolder(end), "data");
  const server = await Quartermaster.start(dataDir, { ...env }, end);
  const open = (
    path: string,
    { key = server.key, url = server.url + path, ...look }: PageOptions = {},
  ) => openPage({ base: server.url, key, url, ...look });
  const call = (method: string, path: string, body?: unknown) =>
    as(server, server.key)(method, path, body === undefined ? {} : { body });
  return { server, dataDir, call, open };
};

/** Creates a project with issues in every status, a working agent and an agent with a question. */
export const seed = async ({ call }: Screens): Promise<void> => {
  const create = async (title: string, fields: object = {}, project = "web") => {
    const { body, text } = await call("POST", `/api/projects/${project}/issues`, {
      title,
      ...fields,
    });
    assert.isString(body.id, text);
    return body;
  };
  const put = (id: string, body: object) => call("PUT", `/api/projects/issues/${id}`, body);
  const checkout = await create("Checkout fails for carts with more than 40 items", {
    priority: "urgent",
    assignedAgentId: "atlas",
  });
  await create("Rotate the signing keys before the certificate expires", { priority: "high" });
  await create("Write release notes for 2.4", { priority: "low", assignedAgentId: "scribe" });
  await create("Move image resizing to a worker", {}, "media");
  await create("Refund emails go out twice", {
    priority: "high",
    blockedByIssueId: checkout.id,
  });
  await create("Split the orders table by month", { blockedByIssueId: checkout.id }, "data");
  const review = await create("Add a retry to the payment webhook", { assignedAgentId: "atlas" });
  await put(review.id, { status: "PendingReview" });
  for (const title of ["Upgrade the database driver", "Cache product pages at the edge"]) {
    const { id } = await create(title, { assignedAgentId: "scribe" });
    await put(id, { status: "Resolved" });
  }
  const closed = await create("Try the beta of the new router");
  await put(closed.id, { status: "Closed" });
  await call("POST", "/api/agents/atlas/heartbeat", {});
  await call("POST", `/api/projects/issues/${checkout.id}/questions`, {
    prompt: "May I raise the limit of the cart to 200 items, or must it stay at 40?",
    kind: "choice",
    options: ["Raise it to 200", "Leave it at 40"],
    blocking: false,
  });
};
