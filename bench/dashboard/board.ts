import type { Page } from "playwright-core";
import type * as Processes from "../processes.ts";
import * as Report from "../report.ts";
import * as Scene from "./scene.ts";
import * as Tasks from "./tasks.ts";

/**
 * The frame times of a board of 2,000 cards while it scrolls, and while cards are dragged between
 * columns.
 */

/** Drags the first card of a column slowly over the others into another column. */
const drag = async (page: Page, from: string, to: string) => {
  const box = async (selector: string) => {
    const found = await page.locator(selector).first().boundingBox();
    if (found === null) throw new Error(`${selector} is not on the screen`);
    return found;
  };
  const source = `[data-column=${from}] [data-issue]`;
  const id = await page.locator(source).first().getAttribute("data-issue");
  const card = await box(source);
  const target = await box(`[data-column=${to}]`);
  await page.mouse.move(card.x + 40, card.y + 20);
  await page.mouse.down();
  await page.mouse.move(card.x + 60, card.y + 40, { steps: 5 });
  await page.mouse.move(target.x + 80, target.y + 300, { steps: 40 });
  await page.mouse.up();
  await page.locator(`[data-column=${to}] [data-issue="${id}"]`).waitFor();
};

/**
 * The longest tasks of one page: in the first scroll, which loads all cards, in a second scroll,
 * and while cards are dragged.
 */
const measure = async (server: Processes.Server, cards: number, drags: number) => {
  const { close, page } = await Scene.open(server, "/work");
  await Scene.settled(page);
  // By then the page has also loaded the screens that its keys open.
  await page.waitForTimeout(2_000);
  const loading = await Tasks.record(page);
  const loaded = await Scene.run<number>(page, "bench.scroll()");
  if (loaded !== cards) throw new Error(`the board has ${loaded} of ${cards} cards`);
  const first = await loading();
  const scrolling = await Tasks.record(page);
  await Scene.run(page, "bench.scroll()");
  const again = await scrolling();
  const dragging = await Tasks.record(page);
  for (let round = 1; round <= drags / 2; round++) {
    await drag(page, "Open", "PendingReview");
    await drag(page, "PendingReview", "Open");
  }
  const dragged = await dragging();
  await close();
  return { first, again, dragged };
};

export const run = async (quick: boolean): Promise<ReadonlyArray<Report.Line>> => {
  const cards = 2_000;
  const drags = 4;
  const rounds = quick ? 1 : 3;
  const { end, server } = await Scene.start("dashboard-board", cards);
  const measured: Array<Awaited<ReturnType<typeof measure>>> = [];
  for (let round = 1; round <= rounds; round++) {
    Report.progress(`board: round ${round} of ${rounds}`);
    measured.push(await measure(server, cards, drags));
  }
  await end();
  const all = `board of ${Report.count(cards)} cards`;
  return [
    Tasks.line(`${all}, scrolled while it loads`, Tasks.median(measured.map((one) => one.first))),
    Tasks.line(`${all}, scrolled again`, Tasks.median(measured.map((one) => one.again))),
    Tasks.line(`${all}, ${drags} cards dragged`, Tasks.median(measured.map((one) => one.dragged))),
  ];
};
