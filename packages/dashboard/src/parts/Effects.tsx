import { effectsOf } from "./effects.ts";
import { Prose } from "./Prose.tsx";
import styles from "./Effects.module.css";

/** The effects of a changed definition in words, shown above the diff. */
export const Effects = ({
  after,
  before,
}: {
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}) => {
  const effects = effectsOf(before, after);
  return effects.length === 0 ? null : (
    <ul className={styles["effects"]} aria-label="Effects of the change">
      {effects.map((sentence) => (
        <li key={sentence}>
          <Prose text={sentence} />
        </li>
      ))}
    </ul>
  );
};
