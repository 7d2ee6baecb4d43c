import {
  cloneElement,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
  useEffect,
  useState,
} from "react";
import { createPortal } from "react-dom";
import { TipText } from "./TipText.tsx";

/** The time in milliseconds from the pointer's arrival to the tooltip, and from its leaving to the end of the tooltip. */
const [delay, grace] = [500, 150];

interface Handlers {
  readonly onPointerEnter?: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerLeave?: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerDown?: (event: PointerEvent<HTMLElement>) => void;
  readonly onFocus?: (event: FocusEvent<HTMLElement>) => void;
  readonly onBlur?: (event: FocusEvent<HTMLElement>) => void;
}

/**
 * A tooltip. It must not contain anything that is not available elsewhere: touch screens and screen readers do not get
 * it. It is not Base UI's, which adds 30 KB to the first load.
 */
export const Tip = ({
  children,
  keys,
  text,
}: {
  readonly text: string;
  readonly keys?: string | undefined;
  readonly children: ReactElement<Handlers>;
}) => {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [wanted, setWanted] = useState({ element: anchor, after: 0 });
  const show = (element: HTMLElement | null, after: number) => setWanted({ element, after });
  useEffect(() => {
    const timer = setTimeout(() => setAnchor(wanted.element), wanted.after);
    return () => clearTimeout(timer);
  }, [wanted]);
  const { props } = children;
  const child = cloneElement(children, {
    onPointerEnter: (event) => {
      props.onPointerEnter?.(event);
      if (event.pointerType === "mouse") show(event.currentTarget, delay);
    },
    onPointerLeave: (event) => {
      props.onPointerLeave?.(event);
      show(null, grace);
    },
    onPointerDown: (event) => {
      props.onPointerDown?.(event);
      show(null, 0);
    },
    onFocus: (event) => {
      props.onFocus?.(event);
      if (event.currentTarget.matches(":focus-visible")) show(event.currentTarget, 0);
    },
    onBlur: (event) => {
      props.onBlur?.(event);
      show(null, 0);
    },
  });
  return (
    <>
      {child}
      {anchor === null
        ? null
        : createPortal(
            <TipText
              anchor={anchor}
              text={text}
              keys={keys}
              onEnter={() => show(anchor, 0)}
              onClose={(after) => show(null, after ? grace : 0)}
            />,
            document.body,
          )}
    </>
  );
};
