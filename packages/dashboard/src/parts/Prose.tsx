import { passagesOf } from "./passages.ts";
import { exactTime } from "./RelativeTime.tsx";
import styles from "./Prose.module.css";

/** Text from the server, with parts between backticks as code, and timestamps as the reader's local time. */
export const Prose = ({ text }: { readonly text: string }) =>
  passagesOf(text).map(({ at, kind, text: passage }) => {
    switch (kind) {
      case "words":
        return passage;
      case "code":
        return (
          <code key={at} className={styles["code"]}>
            {passage}
          </code>
        );
      case "time":
        return (
          <time key={at} dateTime={passage}>
            {exactTime(passage)}
          </time>
        );
    }
  });
