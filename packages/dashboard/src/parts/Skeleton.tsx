import styles from "./Skeleton.module.css";

/** A placeholder while content loads. */
export const Skeleton = ({
  height = 14,
  width = "100%",
}: {
  readonly height?: number;
  readonly width?: number | string;
}) => <div className={styles["skeleton"]} style={{ width, height }} aria-hidden="true" />;
