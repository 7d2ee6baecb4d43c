import { Suspense, useEffect, useState } from "react";
import { lazily } from "./lazily.ts";
import { useToasts } from "./toast.ts";

const ToastList = lazily(() => import("./ToastList.tsx"), "ToastList");

/** The toasts. Their code loads with the first message. */
export const Toasts = () => {
  const { onFirst } = useToasts();
  const [isNeeded, setNeeded] = useState(false);
  useEffect(() => onFirst(() => setNeeded(true)), [onFirst]);
  return <Suspense>{isNeeded ? <ToastList /> : null}</Suspense>;
};
