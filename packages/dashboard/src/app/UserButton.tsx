import { Suspense, useState } from "react";
import { useSession } from "../data/live/session.ts";
import { Avatar } from "../parts/Avatar.tsx";
import { lazily } from "../parts/lazily.ts";
import { Opening } from "../parts/Opening.tsx";
import styles from "./UserButton.module.css";

const UserMenu = lazily(() => import("./UserMenu.tsx"), "UserMenu");

/** The signed-in user, with the account menu. */
export const UserButton = ({ onHelp }: { readonly onHelp: () => void }) => {
  const session = useSession();
  const [anchor, setAnchor] = useState<Element | null>(null);
  if (!("principal" in session)) return null;
  const { id, role } = session.principal;
  const name = id.startsWith("key_") ? `${role} key` : id;
  return (
    <>
      <button
        type="button"
        className={styles["user"]}
        title="Account and theme"
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Avatar id={name} size={22} />
        <span className={styles["userName"]}>{name}</span>
      </button>
      <Suspense fallback={<Opening />}>
        {anchor === null ? null : (
          <UserMenu anchor={anchor} onClose={() => setAnchor(null)} onHelp={onHelp} />
        )}
      </Suspense>
    </>
  );
};
