import type { Locator, Page } from "playwright-core";

/** The row of an item in the list. */
export const row = (page: Page, name: string | RegExp): Locator =>
  page.getByRole("list", { name: "Items" }).getByRole("button", { name });

/** The item beside the list. */
export const item = (page: Page, name: string | RegExp): Locator =>
  page.getByRole("article", { name });

/** Shows an item. Returns it. */
export const show = async (page: Page, name: string | RegExp): Promise<Locator> => {
  await row(page, name).first().click();
  await item(page, name).waitFor();
  return item(page, name);
};
