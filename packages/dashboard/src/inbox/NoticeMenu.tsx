import { useState } from "react";
import { useStore } from "../data/live/data.ts";
import { type NoticeKind, noticeKinds, noticeStore } from "../data/notices.ts";
import { Menu, MenuGroup, MenuItem, MenuNote, MenuSeparator } from "../parts/Menu.tsx";
import { useWatched } from "../parts/watched.ts";

const names: Readonly<Record<NoticeKind, string>> = {
  question: "Questions",
  review: "Reviews",
  failed: "Failures",
  mentioned: "Mentions",
};

const denied = "The browser blocks notifications of this page. Allow them in its settings.";
const missing = "The browser has no notifications here. They need HTTPS or localhost.";

/** Chooses the browser notifications of this browser. The first choice asks the browser for its permission. */
export const NoticeMenu = ({
  anchor,
  onClose,
}: {
  readonly anchor: Element;
  readonly onClose: () => void;
}) => {
  const { choice, choose } = useStore(noticeStore);
  const { kinds, mine } = useWatched(choice);
  const [permission] = useState(() =>
    "Notification" in window ? Notification.permission : "missing",
  );
  const toggle = (kind: NoticeKind) => {
    const isOn = kinds.includes(kind);
    choose({ mine, kinds: isOn ? kinds.filter((one) => one !== kind) : [...kinds, kind] });
    if (!isOn && permission === "default") void Notification.requestPermission();
  };
  const why = { denied, missing }[permission as string] ?? null;
  return (
    <Menu align="end" anchor={anchor} label="Notifications" onClose={onClose}>
      <MenuGroup label="Notify this browser of new">
        {noticeKinds.map((kind) => (
          <MenuItem
            key={kind}
            text={names[kind]}
            checked={kinds.includes(kind)}
            onSelect={() => toggle(kind)}
          />
        ))}
      </MenuGroup>
      <MenuSeparator />
      <MenuItem
        icon="user"
        text="Only mine"
        checked={mine}
        onSelect={() => choose({ kinds, mine: !mine })}
      />
      {why === null ? null : <MenuNote text={why} />}
    </Menu>
  );
};
