import { bySection, useAllCommands } from "../parts/commands.ts";
import { Dialog } from "../parts/Dialog.tsx";
import { Keys } from "../parts/Keys.tsx";
import styles from "./KeyHelp.module.css";

/** The keyboard shortcuts of the open screen and of the shell. */
export const KeyHelp = ({ onClose }: { readonly onClose: () => void }) => {
  const bound = useAllCommands().filter(({ keys }) => keys !== undefined);
  return (
    <Dialog open onClose={onClose} title="Keyboard shortcuts">
      <div className={styles["help"]}>
        {bySection(bound).map(([section, commands]) => (
          <section key={section}>
            <h3>{section}</h3>
            <ul>
              {commands.map(({ id, keys = "", title }) => (
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
