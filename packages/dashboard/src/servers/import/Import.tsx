import { useMemo, useRef, useState } from "react";
import { useImport } from "../../data/servers/servers.ts";
import { Button } from "../../parts/Button.tsx";
import { Dialog, DialogFoot } from "../../parts/Dialog.tsx";
import { ErrorNote } from "../../parts/ErrorNote.tsx";
import { TextArea } from "../../parts/Field.tsx";
import { read } from "./configuration.ts";
import { ImportPreview } from "./ImportPreview.tsx";
import { ImportResults } from "./ImportResults.tsx";
import styles from "./Import.module.css";

/** The dialog that imports a pasted configuration, with a preview. */
export const Import = ({ onClose }: { readonly onClose: () => void }) => {
  const [text, setText] = useState("");
  const run = useImport();
  const input = useRef<HTMLTextAreaElement>(null);
  const pasted = useMemo(() => read(text), [text]);
  const submit = () => {
    if (pasted !== null && pasted.kind !== "invalid" && !run.isPending) run.mutate(pasted.input);
  };
  if (run.data !== undefined) {
    return (
      <Dialog open onClose={onClose} title="Imported">
        <ImportResults results={run.data} onClose={onClose} />
        <DialogFoot>
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </DialogFoot>
      </Dialog>
    );
  }
  return (
    <Dialog open onClose={onClose} title="Import servers" initialFocus={input} onSubmit={submit}>
      <TextArea
        ref={input}
        className={styles["pasted"] ?? ""}
        label="Configuration"
        hint="Paste the JSON of Claude Desktop, Cursor or VS Code, Codex's config.toml, or a server.json."
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {pasted === null ? null : pasted.kind === "invalid" ? (
        <p className={styles["invalid"]} role="status">
          {pasted.reason}
        </p>
      ) : (
        <ImportPreview kind={pasted.kind} servers={pasted.servers} />
      )}
      <ErrorNote error={run.error} />
      <DialogFoot>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          variant="primary"
          disabled={pasted === null || pasted.kind === "invalid" || run.isPending}
        >
          {pasted === null || pasted.kind === "invalid"
            ? "Import"
            : pasted.kind === "entry"
              ? "Create entry"
              : "Import matching servers"}
        </Button>
      </DialogFoot>
    </Dialog>
  );
};
