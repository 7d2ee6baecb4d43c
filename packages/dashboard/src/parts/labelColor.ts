const hues = [10, 40, 85, 140, 175, 215, 255, 300, 335];

/** A color for a label, stable for equal texts. */
export const labelColor = (label: string): string => {
  let sum = 0;
  for (const character of label) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return `oklch(var(--label-tone) ${hues[sum % hues.length]})`;
};
