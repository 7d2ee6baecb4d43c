import { Badge } from "../parts/Badge.tsx";
import type { IconName } from "../parts/Icon.tsx";
import type { ToolState } from "./states.ts";

const looks: Readonly<
  Record<
    ToolState,
    {
      readonly text: string;
      readonly title: string;
      readonly icon?: IconName;
      readonly tone?: "warning" | "danger" | "accent" | "success";
    }
  >
> = {
  accepted: { text: "Accepted", title: "Agents with access can use it", icon: "check" },
  new: {
    text: "New",
    title: "Withheld until a person accepts it",
    icon: "plus",
    tone: "accent",
  },
  changed: {
    text: "Changed",
    title: "Withheld until a person accepts the new definition",
    icon: "warning",
    tone: "warning",
  },
  blocked: { text: "Blocked", title: "Blocked by an Admin", icon: "blocked", tone: "danger" },
  invalid: {
    text: "Invalid",
    title: "Withheld: clients cannot read its definition",
    icon: "warning",
    tone: "danger",
  },
  gone: { text: "Gone", title: "The server no longer lists it" },
};

export const stateName = (state: ToolState): string => looks[state].text;

/** The state of a tool compared with its accepted definition. */
export const ToolStateBadge = ({ state }: { readonly state: ToolState }) => (
  <Badge {...looks[state]} />
);
