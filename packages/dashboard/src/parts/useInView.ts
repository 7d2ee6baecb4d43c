import { type RefObject, useEffect, useState } from "react";

/** Whether the element has been within 400 px of the viewport. Stays true, so that the component loads its data only once. */
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
