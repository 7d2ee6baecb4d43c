import { useLayoutEffect, useRef } from "react";
import type { IconName } from "./Icon.tsx";
import { useShared } from "./shared.ts";
import { useWatched, watched } from "./watched.ts";

/**
 * A command of the shell or the open screen. The palette and the shortcut help list it; `pressed` finds it
 * by its keys.
 */
export interface Command {
  readonly id: string;
  readonly title: string;
  /** The heading in the palette and in the shortcut help. */
  readonly section: string;
  readonly icon?: IconName;
  /** `mod+k`, `shift+x`, or a sequence such as `g i`. */
  readonly keys?: string;
  /** Whether the palette omits the command, as for `j` and `k`. The shortcut help still lists it. */
  readonly hidden?: boolean;
  readonly run: () => void;
}

interface Registration {
  readonly commands: ReadonlyArray<Command>;
  readonly isEverywhere: boolean;
}

const chordOf = ({ altKey, ctrlKey, key, metaKey, shiftKey }: KeyboardEvent): string => {
  const name = key.length === 1 ? key.toLowerCase() : key.toLowerCase();
  const isLetter = /^[a-z]$/.test(name) || name.length > 1;
  return [
    ctrlKey || metaKey ? "mod" : "",
    altKey ? "alt" : "",
    shiftKey && isLetter ? "shift" : "",
    name === " " ? "space" : name,
  ]
    .filter(Boolean)
    .join("+");
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("input:not([type=checkbox]), textarea, select"));

/** The registry of commands. One per page. */
export const makeCommands = () => {
  const all = watched<ReadonlyArray<Command>>([]);
  let registered: ReadonlyMap<symbol, Registration> = new Map();
  let prefix = "";
  let prefixUntil = 0;
  let holds = 0;

  const change = (next: ReadonlyMap<symbol, Registration>) => {
    registered = next;
    const of = (isEverywhere: boolean) =>
      [...next.values()].flatMap((one) => (one.isEverywhere === isEverywhere ? one.commands : []));
    const screen = of(false);
    const taken = new Set(screen.map(({ keys }) => keys));
    all.set([...of(true).filter(({ keys }) => keys === undefined || !taken.has(keys)), ...screen]);
  };
  return {
    all,
    /** Registers the commands of an owner. The returned function removes them. */
    add: (owner: symbol, registration: Registration): (() => void) => {
      change(new Map([...registered, [owner, registration]]));
      return () => change(new Map([...registered].filter(([other]) => other !== owner)));
    },
    /** Ignores all keys until the returned function is called: a layer that they are meant for still loads. */
    hold: (): (() => void) => {
      holds++;
      return () => void holds--;
    },
    /**
     * Runs the command for the pressed keys. If several match, the last one wins: the screen's over the
     * shell's.
     */
    pressed: (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || holds > 0) return;
      const chord = chordOf(event);
      if (/^(control|meta|alt|shift|mod|mod\+(control|meta))$/.test(chord)) return;
      // Enter activates the focused button or link.
      if (
        chord === "enter" &&
        event.target instanceof Element &&
        event.target.closest("a, button")
      ) {
        return;
      }
      // While the user types, Ctrl+Z belongs to the text.
      const isGlobal = chord.startsWith("mod+") && !(chord === "mod+z" && isTyping(event.target));
      if (!isGlobal && isTyping(event.target)) return;
      // An open dialog or menu owns the keyboard. Toasts do not count, although Base UI gives them the role
      // `dialog`.
      const isInLayer =
        document.querySelector("[role=dialog]:not([data-toast]), [role=menu]") !== null;
      if (!isGlobal && isInLayer) return;
      const keys = prefix !== "" && event.timeStamp < prefixUntil ? `${prefix} ${chord}` : chord;
      prefix = "";
      const commands = all.current();
      const command =
        commands.findLast((one) => one.keys === keys) ??
        commands.findLast((one) => one.keys === chord);
      if (command !== undefined) {
        event.preventDefault();
        command.run();
      } else if (commands.some((one) => one.keys?.startsWith(`${chord} `) === true)) {
        prefix = chord;
        prefixUntil = event.timeStamp + 1_200;
      }
    },
  };
};

/** The available commands: first the shell's, without those whose keys the screen uses, then the screen's. */
export const useAllCommands = (): ReadonlyArray<Command> => useWatched(useShared(makeCommands).all);

/** The commands by section, the screen's sections first. */
export const bySection = (
  commands: ReadonlyArray<Command>,
): ReadonlyArray<readonly [section: string, commands: ReadonlyArray<Command>]> =>
  [...Map.groupBy(commands.toReversed(), ({ section }) => section)].map(
    ([section, reversed]) => [section, reversed.toReversed()] as const,
  );

/**
 * Registers commands while the component is mounted. `run` may change with each render. `isEverywhere`
 * marks the shell's commands: the screen's take precedence, in whichever order they mounted.
 */
export const useCommands = (commands: ReadonlyArray<Command>, isEverywhere = false): void => {
  const { add } = useShared(makeCommands);
  const latest = useRef(commands);
  // Layout effects: the keys belong to what is on the screen as soon as it is there.
  useLayoutEffect(() => {
    latest.current = commands;
  });
  const facts = JSON.stringify(commands);
  useLayoutEffect(() => {
    const stable = latest.current.map((command, index) => ({
      ...command,
      run: () => latest.current[index]?.run(),
    }));
    return add(Symbol(facts), { commands: stable, isEverywhere });
  }, [add, facts, isEverywhere]);
};

/** Listens for keyboard shortcuts while the component is mounted. */
export const useKeys = (): void => {
  const { pressed } = useShared(makeCommands);
  useLayoutEffect(() => {
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [pressed]);
};
