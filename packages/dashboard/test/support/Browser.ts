import { existsSync } from "node:fs";
import { inject } from "@effect/vitest";
import { type Browser, type BrowserContext, chromium } from "playwright-core";

/** Where Debian and others install Chromium. */
const executablePath = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => existsSync(path));

/** Whether a browser is there. The tests of screens are skipped without it. */
export const hasBrowser = executablePath !== undefined;

// oxlint-disable-next-line no-console -- why the tests below are skipped
if (!hasBrowser) console.warn("skipped: tests of screens need Chromium (apt-get install chromium)");

export type Theme = "light" | "dark";

/** The widths that every screen is tested at. */
export const sizes = {
  wide: { width: 1_440, height: 900 },
  narrow: { width: 390, height: 844 },
} as const;

const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

/** Starts a browser that reaches no other host. `browser.setup.ts` starts one for all tests: each start takes 0.7 s. */
export const serve = () =>
  chromium.launchServer({ executablePath: executablePath ?? "", headless: true, args });

declare module "vitest" {
  interface ProvidedContext {
    /** The address of the browser. */
    readonly browser: string;
  }
}

let connected: Promise<Browser> | undefined;

/** A window with an empty profile: no cookies, storage or cache of another one. */
export const launch = async (size: keyof typeof sizes, theme: Theme): Promise<BrowserContext> => {
  connected ??= chromium.connect(inject("browser"));
  const browser = await connected;
  return browser.newContext({
    viewport: sizes[size],
    colorScheme: theme,
    reducedMotion: "reduce",
  });
};
