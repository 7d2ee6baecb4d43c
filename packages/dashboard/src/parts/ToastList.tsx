import { Toast as Base } from "@base-ui/react/toast";
import { useEffect } from "react";
import { IconButton } from "./IconButton.tsx";
import { Prose } from "./Prose.tsx";
import { onMessage, type ToastMessage } from "./toast.ts";
import styles from "./ToastList.module.css";

const manager = Base.createToastManager();

const show = ({ description, title, type }: ToastMessage) =>
  void manager.add(
    type === "error"
      ? {
          title,
          description: <Prose text={description ?? ""} />,
          type,
          timeout: 10_000,
          priority: "high",
        }
      : { title, description },
  );

const List = () =>
  Base.useToastManager().toasts.map((item) => (
    <Base.Root key={item.id} toast={item} data-toast className={styles["toast"] ?? ""}>
      <Base.Content className={styles["content"]}>
        <div className={styles["words"]}>
          <Base.Title className={styles["title"]} render={<div />} />
          <Base.Description className={styles["description"]} render={<div />} />
        </div>
        <Base.Close render={<IconButton icon="close" label="Dismiss" small />} />
      </Base.Content>
    </Base.Root>
  ));

export const ToastList = () => {
  // The provider listens by then.
  useEffect(() => onMessage(show), []);
  return (
    <Base.Provider toastManager={manager} limit={3}>
      <Base.Portal>
        <Base.Viewport className={styles["viewport"]}>
          <List />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
};
