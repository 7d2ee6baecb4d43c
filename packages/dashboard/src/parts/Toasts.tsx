import { Suspense, useEffect, useState } from "react";
import { lazily } from "./lazily.ts";
import { useToasts } from "./toast.ts";

const ToastList = lazily(() => import("./ToastList.tsx"), "ToastList");

/** The area where messages appear. */
export const Toasts = () => {
  const { onFirst } = useToasts();
  const [isNeeded, setNeeded] = useState(false);
  useEffect(() => onFirst(() => setNeeded(true)), [onFirst]);
  return <Suspense>{isNeeded ? <ToastList /> : null}</Suspense>;
};
