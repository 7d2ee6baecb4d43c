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

/** The names on the keys of `mod+k`, which are pressed together, or of `g i`, one after the other. */
export const keyNames = (keys: string, isMac: boolean): ReadonlyArray<string> => {
  const own = isMac ? namesOnMac : namesElsewhere;
  return (
    keys
      .split(" ")
      // The key `+` is written as itself.
      .flatMap((chord) => chord.split(/(?<=.)\+(?=.)/))
      .map((key) => own[key] ?? key.toUpperCase())
  );
};
