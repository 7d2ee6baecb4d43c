import { useCommands } from "../parts/commands.ts";

const step = (by: 1 | -1) => {
  const items = [...document.querySelectorAll<HTMLElement>("[data-item]")];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = at === -1 ? items.at(by === 1 ? 0 : -1) : items[at + by];
  next?.focus();
};

/** `j` and `k` reach the elements with `data-item`. */
export const useSteps = (noun: string): void =>
  useCommands([
    {
      id: "next",
      title: `Next ${noun}`,
      section: "Servers",
      keys: "j",
      hidden: true,
      run: () => step(1),
    },
    {
      id: "previous",
      title: `Previous ${noun}`,
      section: "Servers",
      keys: "k",
      hidden: true,
      run: () => step(-1),
    },
  ]);
