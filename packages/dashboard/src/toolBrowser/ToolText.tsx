import { definitionText } from "../parts/definition.ts";
import { Diff } from "../parts/Diff.tsx";
import { Effects } from "../parts/Effects.tsx";
import { Icon } from "../parts/Icon.tsx";
import { Definition } from "./Definition.tsx";
import type { ToolEntry } from "./entry.ts";
import styles from "./ToolDetail.module.css";

const sentences: Readonly<Record<ToolEntry["state"], string | null>> = {
  accepted: null,
  new: "Withheld until a person accepts it.",
  changed: "It differs from the accepted one.",
  blocked: "An Admin blocked it.",
  invalid: null,
  gone: "The server no longer lists it. This is the accepted definition.",
};

/** The current definition of a tool, and its diff against the accepted one. */
export const ToolText = ({
  entry,
  isBrief = false,
}: {
  readonly entry: ToolEntry;
  /** Whether a changed definition shows only its diff. */
  readonly isBrief?: boolean;
}) => {
  const { accepted, current, reason, state } = entry;
  const before = definitionText(accepted);
  const after = definitionText(current);
  const differs = before !== null && after !== null && before !== after;
  const definition = current ?? accepted;
  const sentence = reason === null ? sentences[state] : `Withheld: ${reason}`;
  return (
    <>
      {sentence === null ? null : (
        <p className={styles["sentence"]} data-state={state}>
          <Icon name={state === "blocked" ? "blocked" : "warning"} size={14} />
          <span>{sentence}</span>
        </p>
      )}
      {differs ? (
        <section className={styles["section"]}>
          <h3>Changes</h3>
          {entry.kind === "tool" ? <Effects before={accepted} after={current} /> : null}
          <Diff before={before} after={after} label={`Changes to ${entry.name}`} />
        </section>
      ) : null}
      {isBrief && differs ? null : definition === null ? (
        <p className={styles["sentence"]}>Its definition is not stored.</p>
      ) : (
        <Definition definition={definition} />
      )}
    </>
  );
};
