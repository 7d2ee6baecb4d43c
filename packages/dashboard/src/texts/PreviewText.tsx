import { Suspense, useMemo } from "react";
import { lazily } from "../parts/lazily.ts";
import { languageOf, prettyJson, rowsOf, withoutColors } from "./previews.ts";
import styles from "./Preview.module.css";

const HighlightedCode = lazily(() => import("../parts/HighlightedCode.tsx"), "HighlightedCode");

/** Values with their places, which never change in a file. */
const placed = <Value,>(values: ReadonlyArray<Value>) => values.map((value, at) => ({ at, value }));

const Table = ({ rows }: { readonly rows: ReadonlyArray<ReadonlyArray<string>> }) => {
  const [head = [], ...others] = rows;
  return (
    <table className={styles["table"]}>
      <thead>
        <tr>
          {placed(head).map(({ at, value }) => (
            <th key={at} scope="col">
              {value}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {placed(others).map(({ at, value: row }) => (
          <tr key={at}>
            {placed(row).map(({ at: column, value }) => (
              <td key={column}>{value}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
};

/** The text of a file: a table of a CSV file, JSON with line breaks, code with colors, or the text itself. */
export const PreviewText = ({
  contentType,
  fileName,
  isWhole,
  text,
}: {
  readonly contentType: string;
  readonly fileName: string;
  /** Whether the text is the whole file. */
  readonly isWhole: boolean;
  readonly text: string;
}) => {
  const language = languageOf(contentType, fileName);
  const shown = useMemo(
    () => (language === "json" && isWhole ? prettyJson(text) : withoutColors(text)),
    [isWhole, language, text],
  );
  const rows = useMemo(
    () => (language === "csv" ? rowsOf(text, fileName, isWhole) : null),
    [fileName, isWhole, language, text],
  );
  return (
    // Scrollable, so it has to be reachable by keyboard.
    <div
      className={styles["content"]}
      tabIndex={0}
      role="group"
      aria-label={`Content of ${fileName}`}
    >
      {rows === null ? (
        <pre dir="auto">
          {language === null ? (
            shown
          ) : (
            <Suspense fallback={shown}>
              <HighlightedCode language={language} text={shown} />
            </Suspense>
          )}
        </pre>
      ) : (
        <Table rows={rows} />
      )}
    </div>
  );
};
