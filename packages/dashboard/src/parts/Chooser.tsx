import { type RefObject, Suspense, useState } from "react";
import { Button } from "./Button.tsx";
import type { Choice } from "./ChoiceMenu.tsx";
import { Icon } from "./Icon.tsx";
import { lazily } from "./lazily.ts";
import { Opening } from "./Opening.tsx";
import styles from "./Chooser.module.css";

const ChoiceMenu = lazily(() => import("./ChoiceMenu.tsx"), "ChoiceMenu");

/** A button that shows the current choice and opens a menu of the others. */
export const Chooser = ({
  button,
  ...choice
}: Choice & { readonly button?: RefObject<HTMLButtonElement | null> }) => {
  const [anchor, setAnchor] = useState<Element | null>(null);
  const { all, icon, label, value } = choice;
  const text = value ?? all ?? label;
  return (
    <>
      <Button
        {...(button === undefined ? {} : { ref: button })}
        variant="quiet"
        aria-haspopup="menu"
        aria-label={text === label ? label : `${label}: ${text}`}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {icon === undefined ? null : <Icon name={icon} />}
        <span className={styles["text"]} dir="auto">
          {text}
        </span>
        <Icon name="chevron" size={14} />
      </Button>
      <Suspense fallback={<Opening />}>
        {anchor === null ? null : (
          <ChoiceMenu {...choice} anchor={anchor} onClose={() => setAnchor(null)} />
        )}
      </Suspense>
    </>
  );
};
