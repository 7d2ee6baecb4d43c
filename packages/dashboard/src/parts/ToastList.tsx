import { Toast as Base } from "@base-ui/react/toast";
import { useEffect, useState } from "react";
import { Button } from "./Button.tsx";
import { IconButton } from "./IconButton.tsx";
import { Keys } from "./Keys.tsx";
import { Prose } from "./Prose.tsx";
import { type ToastMessage, useToasts } from "./toast.ts";
import styles from "./ToastList.module.css";

const optionsOf = ({ action, description, id, title, type }: ToastMessage) =>
  id !== undefined
    ? { id, title, description, timeout: 0, data: action }
    : type === "error"
      ? {
          title,
          description: <Prose text={description ?? ""} />,
          type,
          timeout: 10_000,
          priority: "high" as const,
        }
      : { title, description, data: action };

const List = () =>
  Base.useToastManager<NonNullable<ToastMessage["action"]>>().toasts.map((item) => (
    <Base.Root key={item.id} toast={item} data-toast className={styles["toast"] ?? ""}>
      <Base.Content className={styles["content"]}>
        <div className={styles["words"]}>
          <Base.Title className={styles["title"]} render={<div />} />
          <Base.Description className={styles["description"]} render={<div />} />
        </div>
        {item.data === undefined ? null : (
          <Button small onClick={item.data.run}>
            {item.data.text}
            {item.data.keys === undefined ? null : <Keys keys={item.data.keys} />}
          </Button>
        )}
        {/* Base UI hides it until the stack of toasts is expanded. These are always a list. */}
        <Base.Close
          aria-hidden={false}
          render={<IconButton icon="close" label="Dismiss" small />}
        />
      </Base.Content>
    </Base.Root>
  ));

export const ToastList = () => {
  const { onMessage } = useToasts();
  const [manager] = useState(() => Base.createToastManager());
  // The provider subscribes before this effect runs.
  useEffect(
    () =>
      onMessage({
        show: (message) => void manager.add(optionsOf(message)),
        close: (id) => manager.close(id),
      }),
    [manager, onMessage],
  );
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
