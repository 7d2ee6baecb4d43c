import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest";
import type { Page } from "playwright-core";
import { findings } from "../support/Axe.ts";
import { hasBrowser, sizes } from "../support/Browser.ts";
import { type Plenty, startPlenty } from "../support/plenty/Plenty.ts";
import { type PageOptions, type Screens, shoot, start } from "../support/Screens.ts";
import {
  cutTexts,
  emptyScreens,
  finished,
  type Screen,
  screensOf,
  settle,
} from "../support/Walk.ts";

const endings: Array<() => Promise<void>> = [];
let plenty: Plenty;
let walk: ReadonlyArray<Screen>;

const themes = ["light", "dark"] as const;
const widths = ["wide", "middle", "narrow"] as const;

/** The rules whose result depends on the theme. The others see the same page in both. */
const colorRules = ["color-contrast", "link-in-text-block"];

/** Visits a screen in both themes and all widths. Returns what is wrong with it. */
const visit = async (page: Page, base: string, { act, name, path }: Screen) => {
  const wrong: Array<string> = [];
  const note = (form: string, texts: ReadonlyArray<string>) => {
    for (const text of texts) wrong.push(`${name} ${form}: ${text}`);
  };
  await page.setViewportSize(sizes.wide);
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(base + path);
  await settle(page);
  await act?.(page);
  await settle(page);
  for (const size of widths) {
    await page.setViewportSize(sizes[size]);
    await settle(page);
    const width = Number(await page.evaluate("document.documentElement.scrollWidth"));
    if (width > sizes[size].width) note(size, [`it is ${width} px wide`]);
    note(size, await cutTexts(page));
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme });
      await finished(page);
      // Between the two others in width, the page has the same elements as in one of them.
      const isBetween = size === "middle";
      const rules = theme === "dark" ? colorRules : undefined;
      if (!isBetween) note(`${theme} ${size}`, await findings(page, rules));
      await shoot(page, `every-${name}-${theme}-${size}`);
    }
  }
  return wrong;
};

/** Visits the screens one after the other. Several may take from one queue. */
const visitAll = async ({ open, server }: Screens, queue: Array<Screen>, options: PageOptions) => {
  const page = await open("/docs", options);
  const wrong: Array<string> = [];
  for (let screen = queue.shift(); screen !== undefined; screen = queue.shift()) {
    const { name } = screen;
    const found = visit(page, server.url, screen);
    wrong.push(...(await found.catch((error) => [`${name}: ${String(error)}`])));
  }
  return wrong;
};

describe.runIf(hasBrowser)("every screen", () => {
  beforeAll(async () => {
    plenty = await startPlenty((end) => endings.unshift(end));
    walk = await screensOf(plenty.params);
  }, 120_000);
  afterAll(async () => {
    for (const end of endings) await end();
  });

  it("[dashboard.accessible.every] has no finding of axe in both themes, wide and narrow, scrolls in one direction and cuts no text off", async () => {
    const isOut = ({ isSignedOut = false }: Screen) => isSignedOut;
    const signedIn = walk.filter((screen) => !isOut(screen));
    assert.isAbove(signedIn.length, 45);
    const wrong = await Promise.all([
      visitAll(plenty, signedIn, {}),
      visitAll(plenty, signedIn, {}),
      visitAll(plenty, walk.filter(isOut), { key: null }),
    ]);
    assert.deepStrictEqual(wrong.flat(), []);
  }, 600_000);

  it("[dashboard.accessible.every] the screens of a new server, which have nothing to show, pass as well", async () => {
    const empty = await start();
    const screens = await emptyScreens();
    assert.isAbove(screens.length, 10);
    const wrong = await Promise.all([visitAll(empty, screens, {}), visitAll(empty, screens, {})]);
    assert.deepStrictEqual(wrong.flat(), []);
  }, 120_000);
});
