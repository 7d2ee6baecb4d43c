import { inject } from "@effect/vitest";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { hasBrowser, options, sizes } from "./Chromium.ts";

export { hasBrowser, sizes };

if (!hasBrowser) {
  // oxlint-disable-next-line no-console -- why the tests below are skipped
  console.warn("skipped: tests of screens need Chromium (apt-get install chromium-headless-shell)");
}

export type Theme = "light" | "dark";

/**
 * Starts a browser that cannot reach any other host. `browser.setup.ts` starts one for all tests:
 * each start takes 0.7 s.
 */
export const serve = () => chromium.launchServer(options);

declare module "vitest" {
  interface ProvidedContext {
    /** The network address of the browser. */
    readonly browser: string;
  }
}

let connected: Promise<Browser> | undefined;

/** Opens a window with an empty profile, which shares no cookies, storage or cache. */
export const launch = async (size: keyof typeof sizes, theme: Theme): Promise<BrowserContext> => {
  connected ??= chromium.connect(inject("browser"));
  const browser = await connected;
  return browser.newContext({
    viewport: sizes[size],
    colorScheme: theme,
    reducedMotion: "reduce",
  });
};
