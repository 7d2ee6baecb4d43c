import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { assert } from "@effect/vitest";
import type { Page } from "playwright-core";

/** Checks of a page by axe. */

const file = fileURLToPath(import.meta.resolve("axe-core/axe.min.js"));
let script: Promise<string> | undefined;

/** The rules of axe, by their names or by their tags. */
export type Rules =
  | ReadonlyArray<string>
  | { readonly type: "tag"; readonly values: ReadonlyArray<string> };

/**
 * The findings of axe with all its rules, or with some. An open menu is beside the landmarks, as menus
 * are: the rule `region` knows only dialogs there. The page keeps the script until it loads another.
 */
export const findings = async (page: Page, rules?: Rules): Promise<ReadonlyArray<string>> => {
  script ??= readFile(file, "utf8");
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(await script);
  const options = {
    resultTypes: ["violations"],
    ...(rules === undefined ? {} : { runOnly: rules }),
  };
  return page.evaluate<ReadonlyArray<string>>(`axe
    .run(${JSON.stringify(options)})
    .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes
      .filter(({ html }) => id !== "region" || !html.includes('role="menu"'))
      .map(({ html, target }) => id + ": " + target.join(" ") + " " + html.slice(0, 200))))`);
};

const wcag: Rules = { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] };

/** Fails if axe finds a violation of a rule of WCAG 2 A or AA. */
export const assertAccessible = async (page: Page): Promise<void> => {
  assert.deepStrictEqual(await findings(page, wcag), []);
};
