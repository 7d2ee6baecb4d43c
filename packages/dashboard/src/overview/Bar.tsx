import styles from "./Overview.module.css";

/**
 * A horizontal bar, with an optional second value in a lighter color behind it. Decorative: text beside it
 * states the values.
 */
export const Bar = ({
  behind = 0,
  color,
  max,
  value,
}: {
  readonly value: number;
  readonly behind?: number;
  readonly max: number;
  /** A color token, such as `var(--accent)`. */
  readonly color: string;
}) => {
  const percent = (part: number) =>
    `${max === 0 ? 0 : Math.max(part > 0 ? 1 : 0, (part / max) * 100)}%`;
  return (
    <svg className={styles["bar"]} height="8" width="100%" aria-hidden="true" style={{ color }}>
      <rect width="100%" height="8" rx="4" fill="var(--sunken)" />
      <rect width={percent(behind)} height="8" rx="4" fill="currentColor" opacity="0.3" />
      <rect width={percent(value)} height="8" rx="4" fill="currentColor" />
    </svg>
  );
};
