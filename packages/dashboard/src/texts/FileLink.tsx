import { type ReactNode, useState } from "react";
import { FilePreview } from "./FilePreview.tsx";

/** A link to a file that opens its preview. With a modifier key, it downloads the file. */
export const FileLink = ({
  children,
  downloadUrl,
  fileName,
  id,
  size,
}: {
  readonly id: string;
  readonly fileName: string;
  readonly downloadUrl: string;
  /** The size in bytes, if it is known. */
  readonly size?: number | undefined;
  readonly children: ReactNode;
}) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <a
        href={downloadUrl}
        download={fileName}
        aria-haspopup="dialog"
        dir="auto"
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        {children}
      </a>
      <FilePreview
        id={id}
        fileName={fileName}
        downloadUrl={downloadUrl}
        size={size}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      />
    </>
  );
};
