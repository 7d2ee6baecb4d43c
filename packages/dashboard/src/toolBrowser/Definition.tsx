import { sectionsOf } from "../parts/definition.ts";
import { visible } from "../parts/visible.ts";
import styles from "./ToolDetail.module.css";

/** All members of a definition as text. */
export const Definition = ({
  definition,
}: {
  readonly definition: Readonly<Record<string, unknown>>;
}) =>
  sectionsOf(definition).map(({ isProse, text, title }) => (
    <section key={title} className={styles["section"]}>
      <h3>{title}</h3>
      {isProse ? (
        <p className={styles["prose"]} dir="auto">
          {visible(text)}
        </p>
      ) : (
        // Scrollable, so it has to be reachable by keyboard.
        <pre className={styles["code"]} tabIndex={0}>
          {visible(text)}
        </pre>
      )}
    </section>
  ));
