import { toJsxRuntime } from "hast-util-to-jsx-runtime";
import { common, createLowlight } from "lowlight";
import { useMemo } from "react";
import { Fragment, jsx, jsxs } from "react/jsx-runtime";
import "./HighlightedCode.css";

const lowlight = createLowlight(common);

/** The characters of the longest code that is highlighted: 20,000 of TypeScript or JSON take 5 to 22 ms of processor time. */
const longest = 20_000;

/** Code in the colors of its language, such as `ts` or `diff`. Other languages stay plain. */
export const HighlightedCode = ({
  language,
  text,
}: {
  readonly language: string;
  readonly text: string;
}) =>
  useMemo(
    () =>
      text.length <= longest && lowlight.registered(language)
        ? toJsxRuntime(lowlight.highlight(language, text), { Fragment, jsx, jsxs })
        : text,
    [language, text],
  );
