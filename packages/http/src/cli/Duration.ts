const units = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Seconds of a text such as `90`, `90s`, `5m` or `2h`; undefined for anything else. */
export const seconds = (text: string): number | undefined => {
  const match = /^(\d{1,9})([smhd]?)$/.exec(text.trim());
  if (match === null) return undefined;
  const [, digits, unit = ""] = match;
  const factor = Object.entries(units).find(([name]) => name === unit)?.[1] ?? 1;
  return Number(digits) * factor;
};
