import { assert, describe, it } from "@effect/vitest";
import { programName } from "../src/audit/programName.ts";

const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";

describe("names of programs", () => {
  it("[dashboard.audit.programs] a browser has its name and its system, and other programs their own words", () => {
    assert.deepStrictEqual(
      [
        `Mozilla/5.0 (X11; Linux x86_64) ${webkit} HeadlessChrome/150.0.0.0 Safari/537.36`,
        `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/150.0.0.0 Safari/537.36 Edg/150.0.0.0`,
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:150.0) Gecko/20100101 Firefox/150.0",
        `Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) ${webkit} Version/19.0 Safari/604.1`,
        `Mozilla/5.0 (Linux; Android 16) ${webkit} Chrome/150.0.0.0 Mobile Safari/537.36`,
        "Mozilla/5.0 (compatible; Crawler)",
        "quartermaster-cli (host=a; pid=1)",
      ].map(programName),
      [
        "Chrome on Linux",
        "Edge on Windows",
        "Firefox on macOS",
        "Safari on iOS",
        "Chrome on Android",
        "Mozilla/5.0 (compatible; Crawler)",
        "quartermaster-cli (host=a; pid=1)",
      ],
    );
  });
});
