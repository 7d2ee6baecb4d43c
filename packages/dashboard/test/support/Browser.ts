import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium } from "playwright-core";

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

/** Starts a browser with an empty profile that reaches no other host. `close` ends it. */
export const launch = async (size: keyof typeof sizes, theme: Theme) => {
  const profile = await mkdtemp(join(tmpdir(), "quartermaster-browser-"));
  const context: BrowserContext = await chromium.launchPersistentContext(profile, {
    executablePath: executablePath ?? "",
    headless: true,
    viewport: sizes[size],
    colorScheme: theme,
    reducedMotion: "reduce",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    ],
  });
  const close = async () => {
    await context.close();
    await rm(profile, { recursive: true, force: true });
  };
  return { context, close };
};
