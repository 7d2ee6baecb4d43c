import styles from "./Avatar.module.css";

/** An avatar with the initials of a person's id, drawn by the style sheet: they are part of no label's text. */
export const Avatar = ({ id, size = 20 }: { readonly id: string; readonly size?: number }) => (
  <span
    className={styles["avatar"]}
    style={{ width: size, height: size, fontSize: size * 0.45 }}
    title={id}
    aria-hidden="true"
    data-initials={[...id.replace(/^key_/, "")].slice(0, size > 24 ? 2 : 1).join("")}
  />
);
