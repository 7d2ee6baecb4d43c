import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { Keys } from "./Keys.tsx";
import styles from "./Tip.module.css";

/** The distance in pixels from the element, and from the edges of the window. */
const gap = 6;

/** The text of a tooltip: below its element, or above it where there is no room. Ends with Escape and when something scrolls. */
export const TipText = ({
  anchor,
  keys,
  onClose,
  onEnter,
  text,
}: {
  readonly anchor: HTMLElement;
  readonly text: string;
  readonly keys: string | undefined;
  /** The pointer moved onto the text, where it may stay. */
  readonly onEnter: () => void;
  readonly onClose: (isLater: boolean) => void;
}) => {
  const element = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<{ readonly left: number; readonly top: number }>();
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const at = anchor.getBoundingClientRect();
    const { height, width } = current.getBoundingClientRect();
    const left = at.left + at.width / 2 - width / 2;
    const isAbove = at.bottom + gap + height > innerHeight;
    setPlace({
      left: Math.max(gap, Math.min(left, innerWidth - width - gap)),
      top: isAbove ? at.top - gap - height : at.bottom + gap,
    });
  }, [anchor]);
  useEffect(() => {
    const close = () => onClose(false);
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key === "Escape") close();
    };
    addEventListener("keydown", onKeyDown, true);
    addEventListener("scroll", close, true);
    return () => {
      removeEventListener("keydown", onKeyDown, true);
      removeEventListener("scroll", close, true);
    };
  }, [onClose]);
  return (
    <div
      ref={element}
      className={styles["tip"]}
      style={place ?? { visibility: "hidden" }}
      aria-hidden
      data-tip
      onPointerEnter={onEnter}
      onPointerLeave={() => onClose(true)}
    >
      {text}
      {keys === undefined ? null : <Keys keys={keys} />}
    </div>
  );
};
