import { useEffects } from "../data/issues/effects.ts";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { EffectList } from "./EffectList.tsx";
import { UnknownEffect } from "./UnknownEffect.tsx";
import styles from "./Effects.module.css";

/** The calls of an issue that happen once: those to settle, and the others in a list that opens. With `runId` only the run's. */
export const Effects = ({
  canEdit,
  issueId,
  runId,
  watch,
}: {
  readonly issueId: string;
  readonly runId?: string;
  readonly canEdit: boolean;
  /** Whether a run may add some. */
  readonly watch: boolean;
}) => {
  const { data, error } = useEffects(issueId, watch);
  if (data === undefined) return <ErrorNote error={error} />;
  const effects = data.filter((effect) => runId === undefined || effect.runId === runId);
  if (effects.length === 0) return null;
  const unknown = effects.filter(({ state }) => state === "unknown");
  const known = effects.filter(({ state }) => state !== "unknown");
  return (
    <section className={styles["effects"]} aria-label="Calls that happen once">
      {unknown.map((effect) => (
        <UnknownEffect key={effect.callId} effect={effect} issueId={issueId} canEdit={canEdit} />
      ))}
      {unknown.length === 0 ? null : (
        <p className={styles["why"]}>
          {unknown.length === 1 ? "The call was" : "These calls were"} sent, and the reply was lost.
          Equal calls are refused until someone says whether it happened.
        </p>
      )}
      {known.length === 0 ? null : (
        <details>
          <summary>
            {known.length === 1
              ? "1 call that happens once"
              : `${known.length} calls that happen once`}
          </summary>
          <EffectList effects={known} />
        </details>
      )}
    </section>
  );
};
