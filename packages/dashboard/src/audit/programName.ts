/** Browsers by the part of `User-Agent` that only they have, the most specific first. */
const browsers = [
  [/\bEdg/, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\//, "Firefox"],
  [/Chrome\//, "Chrome"],
  [/\bSafari\//, "Safari"],
] as const;

const systems = [
  [/\bAndroid\b/, "Android"],
  [/\b(iPhone|iPad)\b/, "iOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
] as const;

/** The program of a `User-Agent` in words: `Chrome on Linux` for a browser, and the text itself for other programs. */
export const programName = (userAgent: string): string => {
  if (!userAgent.startsWith("Mozilla/")) return userAgent;
  const find = (names: typeof browsers | typeof systems) =>
    names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [browser, system] = [find(browsers), find(systems)];
  if (browser === undefined) return userAgent;
  return system === undefined ? browser : `${browser} on ${system}`;
};
