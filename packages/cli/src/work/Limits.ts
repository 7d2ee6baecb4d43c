/** The messages of hosts that cannot work until a usage limit is over, or until they are signed in. */

export interface Limit {
  /** The change that a person has to make. */
  readonly reason: string;
  /**
   * The time at which the limit ends, in milliseconds since the epoch; null if the output does not
   * contain it.
   */
  readonly until: number | null;
}

const units: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** The milliseconds of a duration such as `2 days 3 hours` or `1h 5m`; null for none. */
const durationIn = (text: string): number | null => {
  const parts = [
    ...text.matchAll(/(\d+)\s*([dhms])(?:ays?|ours?|in(?:ute)?s?|r|ec(?:ond)?s?)?\b/gi),
  ];
  if (parts.length === 0) return null;
  return parts.reduce(
    (sum, [, count, unit]) => sum + Number(count) * (units[unit?.toLowerCase() ?? ""] ?? 0),
    0,
  );
};

const hour = (twelve: string, half: string): number =>
  (Number(twelve) % 12) + (half.toLowerCase() === "pm" ? 12 : 0);

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

const day = new RegExp(
  `\\b(${months.join("|")})[a-z]* (\\d{1,2})(?:st|nd|rd|th)?(?:, (\\d{4}))?(?:,| at)? $`,
  "i",
);

/** Half a year in milliseconds: a day without its year is not further back than that. */
const halfYearMillis = 183 * 86_400_000;

/**
 * The next time that a clock in this process's zone shows, such as `3pm` or `3:30 pm`, or that time of a day, such as
 * `Jan 30, 11:30am`, `Jul 15 at 12am` or `Jul 5th, 2026 8:19 PM`.
 */
const clockIn = (text: string, now: number): number | null => {
  const clock = /\b(\d{1,2})(?::(\d{2}))?\s*([ap]m)\b/i.exec(text);
  const [, hours, minutes = "0", half] = clock ?? [];
  if (clock === null || hours === undefined || half === undefined) return null;
  const at = new Date(now);
  const [, month, date, year] = day.exec(text.slice(0, clock.index)) ?? [];
  if (month !== undefined) {
    const named = Number(year ?? at.getFullYear());
    at.setFullYear(named, months.indexOf(month.toLowerCase()), Number(date));
    if (year === undefined && now - at.getTime() > halfYearMillis) at.setFullYear(named + 1);
  }
  at.setHours(hour(hours, half), Number(minutes), 0, 0);
  if (month === undefined && at.getTime() <= now) at.setDate(at.getDate() + 1);
  return at.getTime();
};

const limits = [
  /\b(?:claude(?: ai)?|codex|gemini|session|weekly|5-hour)[\w -]*\blimit reached\b.*/i,
  /\byou(?:'|’)ve (?:hit|reached) your (?:[\w-]+ )?limit\b.*/i,
  /\bquota exceeded\b.*/i,
  /\bRESOURCE_EXHAUSTED\b.*/,
  /\bRequest rejected \(429\).*/,
  /\byou(?:'|’)?(?:ve)? exceeded your current quota\b.*/i,
  /\bexhausted your (?:daily quota|capacity)\b.*/i,
  /\b(?:insufficient_quota|credit balance is too low)\b.*/i,
];

const logins = [
  /\bnot logged in\b.*/i,
  /\binvalid (?:x-)?api[ -]key\b.*/i,
  /\bunexpected status 401 Unauthorized\b.*/,
  /\bAPI key not valid\b.*/i,
  /\bplease (?:run )?\/login\b.*/i,
  /\brun `?(?:codex|gemini|claude|opencode auth) login\b.*/i,
  /\bplease set an auth method\b.*/i,
  /\bOAuth token has expired\b.*/i,
];

const firstOf = (patterns: ReadonlyArray<RegExp>, output: string): string | null => {
  for (const pattern of patterns) {
    const line = pattern.exec(output)?.[0];
    if (line !== undefined) return line.trim().slice(0, 300);
  }
  return null;
};

/** The limit or missing login that the end of a failed command's output names; null for none. */
export const limitIn = (output: string, now: number): Limit | null => {
  const limit = firstOf(limits, output);
  if (limit !== null) {
    const [, epoch] = /\|(\d{10})\b/.exec(limit) ?? [];
    const after = /\b(?:try again|resets?|retry) (?:in|after)\b(.*)/i.exec(limit)?.[1];
    const duration = after === undefined ? null : durationIn(after);
    const until =
      epoch !== undefined
        ? Number(epoch) * 1_000
        : duration !== null
          ? now + duration
          : clockIn(limit, now);
    return { reason: `A usage limit is reached: ${limit.replace(/\|\d{10}\b/, "")}`, until };
  }
  const login = firstOf(logins, output);
  return login === null ? null : { reason: `The command is not signed in: ${login}`, until: null };
};
