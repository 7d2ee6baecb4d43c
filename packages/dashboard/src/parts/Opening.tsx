import { useLayoutEffect } from "react";
import { makeCommands } from "./commands.ts";
import { useShared } from "./shared.ts";

/** Stands for a menu or a dialog that still loads. The keys that the user presses in the meantime run no command of the screen. */
export const Opening = () => {
  const { hold } = useShared(makeCommands);
  useLayoutEffect(hold, [hold]);
  return null;
};
