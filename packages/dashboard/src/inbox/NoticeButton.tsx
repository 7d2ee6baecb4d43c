import { Suspense, useState } from "react";
import { IconButton } from "../parts/IconButton.tsx";
import { lazily } from "../parts/lazily.ts";
import { Opening } from "../parts/Opening.tsx";

const NoticeMenu = lazily(() => import("./NoticeMenu.tsx"), "NoticeMenu");

/** The button for the choice of browser notifications. */
export const NoticeButton = () => {
  const [anchor, setAnchor] = useState<Element | null>(null);
  return (
    <>
      <IconButton
        icon="bell"
        label="Notifications"
        aria-haspopup="menu"
        data-notices
        onClick={(event) => setAnchor(event.currentTarget)}
      />
      <Suspense fallback={<Opening />}>
        {anchor === null ? null : <NoticeMenu anchor={anchor} onClose={() => setAnchor(null)} />}
      </Suspense>
    </>
  );
};
