const names: Readonly<Record<string, string>> = {
  arrowdown: "↓",
  arrowleft: "←",
  arrowright: "→",
  arrowup: "↑",
  delete: "Del",
  enter: "↵",
  escape: "Esc",
  shift: "⇧",
};

const namesOnMac: typeof names = { ...names, alt: "⌥", delete: "⌦", mod: "⌘" };
const namesElsewhere: typeof names = { ...names, alt: "Alt", mod: "Ctrl" };

/**
 * The key names of a shortcut: the keys of `mod+k` are pressed together, the keys of `g i` one after the
 * other.
 */
export const keyNames = (keys: string, isMac: boolean): ReadonlyArray<string> => {
  const own = isMac ? namesOnMac : namesElsewhere;
  return (
    keys
      .split(" ")
      // A lone `+` is a key, not a separator.
      .flatMap((chord) => chord.split(/(?<=.)\+(?=.)/))
      .map((key) => own[key] ?? key.toUpperCase())
  );
};
