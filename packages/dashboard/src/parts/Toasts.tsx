import { Suspense, useEffect, useState } from "react";
import { lazily } from "./lazily.ts";
import { onFirst } from "./toast.ts";

const ToastList = lazily(() => import("./ToastList.tsx"), "ToastList");

/** The area where messages appear. */
export const Toasts = () => {
  const [isNeeded, setNeeded] = useState(false);
  useEffect(() => onFirst(() => setNeeded(true)), []);
  return <Suspense>{isNeeded ? <ToastList /> : null}</Suspense>;
};
