import { Tabs as Base } from "@base-ui/react/tabs";
import type { ReactNode } from "react";
import { Icon, type IconName } from "./Icon.tsx";
import styles from "./Tabs.module.css";

export interface TabChoice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly icon?: IconName;
  readonly content: ReactNode;
}

/** Tabs. `render` places the tab list and the panel. */
export const Tabs = <Value extends string>({
  label,
  onChange,
  render,
  tabs,
  value,
}: {
  readonly label: string;
  readonly tabs: ReadonlyArray<TabChoice<Value>>;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly render: (list: ReactNode, content: ReactNode) => ReactNode;
}) => {
  const list = (
    <Base.List className={styles["list"]} aria-label={label}>
      {tabs.map((tab) => (
        <Base.Tab key={tab.value} value={tab.value} className={styles["tab"]}>
          {tab.icon === undefined ? null : <Icon name={tab.icon} size={14} />}
          {tab.label}
        </Base.Tab>
      ))}
    </Base.List>
  );
  const content = tabs.map((tab) => (
    <Base.Panel
      key={tab.value}
      value={tab.value}
      render={<div style={{ display: tab.value === value ? "contents" : "none" }} />}
    >
      {tab.content}
    </Base.Panel>
  ));
  return (
    <Base.Root
      value={value}
      onValueChange={(next) => onChange(next as Value)}
      render={<div style={{ display: "contents" }} />}
    >
      {render(list, content)}
    </Base.Root>
  );
};
