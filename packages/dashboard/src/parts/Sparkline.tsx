import styles from "./Sparkline.module.css";

export interface Spark {
  readonly id: string;
  readonly value: number;
  /** A color token, such as `var(--accent)`. */
  readonly color: string;
}

const [step, height, places] = [5, 18, 20];

/** The newest values as inline bars, newest at the right. The label describes them to assistive technology. */
export const Sparkline = ({
  label,
  newestFirst,
}: {
  readonly label: string;
  /** The newest value first. Only the first 20 are drawn. */
  readonly newestFirst: ReadonlyArray<Spark>;
}) => {
  const sparks = newestFirst.slice(0, places);
  const width = sparks.length * step;
  const max = Math.max(...sparks.map(({ value }) => value), 1);
  return (
    <svg className={styles["sparkline"]} role="img" width={width} height={height}>
      <title>{label}</title>
      {sparks.map(({ color, id, value }, index) => {
        const tall = Math.max(2, (value / max) * height);
        return (
          <rect
            key={id}
            x={width - (index + 1) * step + 1}
            y={height - tall}
            width={step - 1}
            height={tall}
            rx="1"
            fill={color}
          />
        );
      })}
    </svg>
  );
};
