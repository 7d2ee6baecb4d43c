import { useName } from "../data/live/names.ts";
import styles from "./Texts.module.css";

/** The name of a mentioned person or agent. The reader's own stands out. */
export const Mention = ({ id }: { readonly id: string }) => {
  const { isMe, name } = useName(id);
  return (
    <span className={styles["mention"]} data-me={isMe} title={id}>
      @{name}
    </span>
  );
};
