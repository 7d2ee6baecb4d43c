/** Markdown as one line of text, for a preview: the words without their marks. */
export const plainOf = (markdown: string): string =>
  markdown
    .replaceAll(/^ {0,3}(?:```|~~~).*$/gm, "")
    .replaceAll(/^[ \t]*(?:(?:#{1,6}|>|[-*+]|\d{1,9}[.)])[ \t]+)+(?:\[[ xX]\][ \t]+)?/gm, "")
    .replaceAll(/!?\[([^\]]*)\]\([^)\s]*(?:\s+"[^"]*")?\)/g, "$1")
    .replaceAll(/(`+)(.+?)\1/g, "$2")
    .replaceAll(
      /(?<![\p{L}\p{N}\\])(\*{1,3}|_{1,3}|~~)(?=\S)(.+?)(?<=\S)\1(?![\p{L}\p{N}])/gu,
      "$2",
    )
    .replaceAll(/\s+/g, " ")
    .trim();
