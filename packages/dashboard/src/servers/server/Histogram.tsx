import type { Bar } from "../latency.ts";
import { plural } from "../words.ts";
import styles from "./Calls.module.css";

const height = 64;

/** A histogram of call durations. The lower part of a bar shows failed calls. */
export const Histogram = ({
  bars,
  label,
}: {
  readonly bars: ReadonlyArray<Bar>;
  readonly label: string;
}) => {
  const most = Math.max(1, ...bars.map(({ calls }) => calls));
  const scale = (calls: number) => (calls === 0 ? 0 : Math.max(1.5, (calls / most) * height));
  return (
    <figure className={styles["histogram"]}>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${bars.length} ${height}`}
        preserveAspectRatio="none"
        height={height}
      >
        {bars.map(({ calls, failed, label: upTo }, index) => (
          <g key={upTo}>
            <title>{`Up to ${upTo}: ${plural(calls, "call")}, ${failed} failed`}</title>
            <rect
              className={styles["bar"]}
              x={index + 0.08}
              width={0.84}
              y={height - scale(calls)}
              height={scale(calls)}
            />
            <rect
              className={styles["bad"]}
              x={index + 0.08}
              width={0.84}
              y={height - scale(failed)}
              height={scale(failed)}
            />
          </g>
        ))}
      </svg>
      <div
        className={styles["axis"]}
        style={{ gridTemplateColumns: `repeat(${bars.length}, 1fr)` }}
        aria-hidden="true"
      >
        {bars.map(({ label: upTo }) => (
          <span key={upTo}>{upTo}</span>
        ))}
      </div>
    </figure>
  );
};
