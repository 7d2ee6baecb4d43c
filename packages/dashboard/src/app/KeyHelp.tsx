import { useAllCommands } from "../parts/commands.ts";
import { Dialog } from "../parts/Dialog.tsx";
import { Keys } from "../parts/Keys.tsx";
import styles from "./Shell.module.css";

/** The keys of the open screen, and of every screen. */
export const KeyHelp = ({ onClose }: { readonly onClose: () => void }) => {
  const bound = useAllCommands().filter(({ keys }) => keys !== undefined);
  const sections = Map.groupBy(bound.toReversed(), ({ section }) => section);
  return (
    <Dialog open onClose={onClose} title="Keyboard shortcuts">
      <div className={styles["help"]}>
        {[...sections].map(([section, commands]) => (
          <section key={section}>
            <h3>{section}</h3>
            <ul>
              {commands.toReversed().map(({ id, keys = "", title }) => (
                <li key={id}>
                  {title}
                  <Keys keys={keys} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Dialog>
  );
};
