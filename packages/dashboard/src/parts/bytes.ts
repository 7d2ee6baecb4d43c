/** A readable file size, such as `3.4 MB`. */
export const bytes = (size: number): string => {
  const units = ["B", "KB", "MB", "GB"] as const;
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, size)) / 3));
  const value = size / 1_000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
};
