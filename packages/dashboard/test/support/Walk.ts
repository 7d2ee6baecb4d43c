import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { assert, vi } from "@effect/vitest";
import type { Page } from "playwright-core";

/** Every screen of the page: the routes of its router, and what opens on them. */

export interface Screen {
  /** The name, which a screenshot has as well. */
  readonly name: string;
  readonly path: string;
  /** Opens what the screen shows after an action. */
  readonly act?: ((page: Page) => Promise<unknown>) | undefined;
  /** Opens the screen without a session. */
  readonly isSignedOut?: boolean;
}

const router = join(import.meta.dirname, "../../src/app/router.ts");

/** The paths of the router, without the one that redirects. */
const routes = async (): Promise<ReadonlyArray<string>> => {
  const text = await readFile(router, "utf8");
  const paths = [...text.matchAll(/ path: "([^"]+)"/g)].map(([, path = ""]) => path);
  return paths.filter((path) => path !== "/");
};

const nameOf = (path: string): string => path.slice(1).replaceAll(/[/$]+/g, "-");

/** The screen of a route, with values for its parameters. */
const screenOf = (path: string, params: Readonly<Record<string, string>>): Screen => ({
  name: nameOf(path),
  path: path.replaceAll(/\$(\w+)/g, (_, name: string) => {
    const value = params[name];
    assert.isDefined(value, `add a value for $${name} to the data of the walk`);
    return value;
  }),
});

const press =
  (...keys: ReadonlyArray<string>) =>
  async (page: Page) => {
    for (const key of keys) await page.keyboard.press(key);
  };

/** Opens a dialog by a key of the screen. */
const dialog =
  (...keys: ReadonlyArray<string>) =>
  async (page: Page) => {
    await press(...keys)(page);
    await page.getByRole("dialog").first().waitFor();
  };

const menu =
  (...keys: ReadonlyArray<string>) =>
  async (page: Page) => {
    await press(...keys)(page);
    await page.locator("[role=menu], [role=listbox]").first().waitFor();
  };

/** Other views, tabs, dialogs and menus of the screens. */
const opened = (params: Readonly<Record<string, string>>): ReadonlyArray<Screen> => {
  const { agentId, issueId, projectId, serverId } = params;
  const items = ["question", "review", "failed", "blockedChain", "agentSilent", "serverError"];
  return [
    ...items.map((kind) => ({
      name: `inbox-${kind}`,
      path: `/inbox?kind=${kind}`,
      act: (page: Page) =>
        page.getByRole("list", { name: "Items" }).getByRole("button").first().click(),
    })),
    { name: "inbox-selection", path: "/inbox?kind=failed", act: press("x") },
    { name: "work-list", path: "/work?view=list" },
    { name: "work-groups", path: "/work?view=list&group=status&priority=urgent&ready=true" },
    { name: "work-none", path: "/work?q=nothinglikethis" },
    { name: "work-selection", path: "/work?view=list", act: press("j", "x", "j", "x") },
    {
      name: "work-filter",
      path: "/work",
      act: async (page) => {
        await page.getByRole("button", { name: "Filter" }).click();
        await page.locator("[role=menu], [role=dialog], [role=listbox]").first().waitFor();
      },
    },
    { name: "work-menu", path: "/work?view=list", act: menu("j", "m") },
    { name: "create-issue", path: "/work", act: dialog("c") },
    { name: "palette", path: "/work", act: dialog("Control+k") },
    {
      name: "palette-found",
      path: "/inbox",
      act: async (page) => {
        await dialog("Control+k")(page);
        await page.keyboard.type("retry");
        await page
          .getByRole("option", { name: /payment webhook/ })
          .first()
          .waitFor();
      },
    },
    { name: "key-help", path: "/work", act: dialog("?") },
    { name: "switcher", path: "/work", act: dialog("Shift+S") },
    { name: "issue-menu", path: `/issues/${issueId}`, act: menu("m") },
    { name: "graph-list", path: "/graph?view=list" },
    { name: "graph-issue", path: `/graph?issue=${params["blockerId"]}` },
    { name: "project-issues", path: `/work?project=${projectId}` },
    { name: "server-tools", path: `/servers/${serverId}?tab=tools` },
    { name: "server-access", path: `/servers/${serverId}?tab=access` },
    { name: "server-calls", path: `/servers/${serverId}?tab=calls` },
    { name: "server-failed", path: `/servers/${params["failedServerId"]}` },
    { name: "agent-dead", path: "/agents/otto" },
    { name: "agent-help", path: `/agents/${agentId}`, act: dialog("?") },
    { name: "create-key", path: "/keys", act: dialog("n") },
    { name: "import", path: "/servers", act: dialog("Shift+N") },
    { name: "not-found", path: "/nowhere" },
    { name: "issue-not-found", path: "/issues/SHOP-99999" },
    { name: "sign-in", path: "/inbox", isSignedOut: true },
    { name: "docs", path: "/docs" },
    { name: "docs-page", path: "/docs/concepts/issue" },
    { name: "docs-reference", path: "/docs/reference/cli" },
  ];
};

/** Every screen of a server with data. */
export const screensOf = async (params: Readonly<Record<string, string>>) => [
  ...(await routes()).map((path) => screenOf(path, params)),
  ...opened(params),
];

/** The screens of a new server: the routes without parameters. */
export const emptyScreens = async (): Promise<Array<Screen>> =>
  (await routes())
    .filter((path) => !path.includes("$"))
    .map((path) => ({ name: `new-${nameOf(path)}`, path }));

/** The size of the shown content. A placeholder counts as a change. */
const shape = `[
  document.querySelectorAll("*").length,
  document.body.innerText.length,
  document.querySelector("[class*=skeleton], [aria-busy=true]") === null ? "" : performance.now(),
].join()`;

/** Waits until the screen has a heading, and does not change for a moment. */
export const settle = async (page: Page): Promise<void> => {
  await page.locator("h1").first().waitFor({ state: "attached" });
  let last: unknown;
  await vi.waitFor(
    async () => {
      const before = last;
      last = await page.evaluate(shape);
      assert.strictEqual(last, before);
    },
    { interval: 100, timeout: 10_000 },
  );
};

/** Waits until transitions, as between the colors of two themes, have finished. */
export const finished = (page: Page): Promise<unknown> =>
  page.evaluate(
    `Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {}))).then(() => 1)`,
  );

/**
 * The texts that a box cuts off without an ellipsis, and without a way to scroll to the rest or a
 * title with the whole text.
 */
export const cutTexts = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(`(() => {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    while (walker.nextNode()) {
      const text = walker.currentNode;
      const parent = text.parentElement;
      if (text.data.trim() === "" || !parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      range.selectNodeContents(text);
      const { left, right, width, height } = range.getBoundingClientRect();
      if (width === 0 || height === 0) continue;
      for (let box = parent; box !== null && box !== document.documentElement; box = box.parentElement) {
        const style = getComputedStyle(box);
        if (style.clipPath !== "none" || style.clip !== "auto" || box.title !== "") break;
        const bounds = box.getBoundingClientRect();
        if (bounds.width <= 1) break;
        const isBlock = style.display !== "inline";
        if (isBlock && /auto|scroll/.test(style.overflowX)) break;
        if (isBlock && /hidden|clip/.test(style.overflowX)) {
          const isCut = right > bounds.right + 1.5 || left < bounds.left - 1.5;
          if (isCut && (style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none")) break;
          if (isCut) {
            found.push(text.data.trim().slice(0, 60) + " in " + box.tagName + "." + box.className);
            break;
          }
        }
        if (style.position === "fixed") break;
      }
    }
    return found;
  })()`);
