import { Suspense } from "react";
import { lazily } from "../parts/lazily.ts";
import { Opening } from "../parts/Opening.tsx";

const Preview = lazily(() => import("./Preview.tsx"), "Preview");

/** The preview of a file, whose code is loaded when it opens first. */
export const FilePreview = ({
  isOpen,
  ...file
}: {
  readonly id: string;
  readonly fileName: string;
  readonly downloadUrl: string;
  /** The size in bytes, if it is known. */
  readonly size?: number | undefined;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) => <Suspense fallback={<Opening />}>{isOpen ? <Preview {...file} /> : null}</Suspense>;
