import { useRef } from "react";
import { useMay } from "../data/live/session.ts";
import { IconButton } from "../parts/IconButton.tsx";
import type { TextFiles } from "./textFiles.ts";

/** Chooses files for a text. */
export const AttachButton = ({ files }: { readonly files: TextFiles }) => {
  const input = useRef<HTMLInputElement>(null);
  if (!useMay("Editor")) return null;
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files for the text"
        onChange={({ target }) => {
          files.send([...(target.files ?? [])]);
          target.value = "";
        }}
      />
      <IconButton
        icon="attach"
        label="Attach files to the text"
        small
        onClick={() => input.current?.click()}
      />
    </>
  );
};
