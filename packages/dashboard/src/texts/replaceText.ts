/** Replaces a part of the text of a field as if the user had typed it. */
export const replaceText = (
  field: HTMLTextAreaElement,
  text: string,
  from: number,
  to: number,
): void => {
  if (field.value.length - (to - from) + text.length > field.maxLength) return;
  field.setRangeText(text, from, to, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
};
