/** Levels that what a server sends may be nested. Code that reads it is recursive. */
export const maxLevels = 256;

export const isTooDeep = (value: unknown, levels = maxLevels): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((member) => isTooDeep(member, levels - 1)));
