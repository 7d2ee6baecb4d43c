import { existsSync } from "node:fs";

/**
 * The paths at which Debian and other systems install Chromium. The headless shell opens no windows, which have
 * renderers of their own: tests take a third less time.
 */
const executablePath = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => existsSync(path));

/** False skips the tests of screens. */
export const hasBrowser = executablePath !== undefined;

/** The widths at which every screen is tested. */
export const sizes = {
  wide: { width: 1_440, height: 900 },
  middle: { width: 1_024, height: 768 },
  narrow: { width: 390, height: 844 },
} as const;

/** The launch options: the browser cannot reach any other host. */
export const options = {
  executablePath: executablePath ?? "",
  headless: true,
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
};
