import { type RefObject, useEffect, useState } from "react";

/** Whether the element is, or was, in view or nearly: what it needs is read then. */
export const useInView = (element: RefObject<Element | null>): boolean => {
  const [isInView, setInView] = useState(false);
  useEffect(() => {
    if (element.current === null || isInView) return undefined;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setInView(true),
      { rootMargin: "400px" },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, isInView]);
  return isInView;
};
