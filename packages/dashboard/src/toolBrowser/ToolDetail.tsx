import { useEffect, useRef, useState } from "react";
import { Button } from "../parts/Button.tsx";
import { useCommands } from "../parts/commands.ts";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { Icon } from "../parts/Icon.tsx";
import { IconButton } from "../parts/IconButton.tsx";
import { Keys } from "../parts/Keys.tsx";
import { visible } from "../parts/visible.ts";
import { acceptancesOf, isAcceptable, nameAtServer, type Decide, type ToolEntry } from "./entry.ts";
import { ToolFacts } from "./ToolFacts.tsx";
import { ToolText } from "./ToolText.tsx";
import styles from "./ToolDetail.module.css";

/**
 * A tool with its definitions. The displayed version stays until the user decides on it or loads the newer
 * one, so that an acceptance covers exactly the text on the screen.
 */
export const ToolDetail = ({
  decide,
  entry,
  onClose,
  takesFocus,
}: {
  readonly entry: ToolEntry;
  readonly decide: Decide;
  readonly onClose: () => void;
  /** Whether the detail covers the list and takes the focus. */
  readonly takesFocus: boolean;
}) => {
  const [pinned, setPinned] = useState(entry);
  const [refused, setRefused] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const isOutdated = pinned.digest !== entry.digest;
  // The server refused the outdated digest, so the user has to review the newer version.
  if (isOutdated && pinned.digest === refused) setPinned(entry);
  const shown = isOutdated ? pinned : entry;

  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);

  const run = (decision: Parameters<Decide>[0] | undefined) => {
    if (decision === undefined || isBusy) return;
    setError(null);
    setBusy(true);
    decide(decision)
      .then(
        () => setPinned(entry),
        (problem: unknown) => {
          setError(problem);
          setRefused(shown.digest);
        },
      )
      .finally(() => setBusy(false));
  };
  const canAccept = isAcceptable(shown);
  const isBlocked = shown.state === "blocked";
  const accept = () => run(acceptancesOf([shown])[0]);
  const toggleBlock = () =>
    run({
      action: isBlocked ? "unblock" : "block",
      serverId: shown.serverId,
      names: [nameAtServer(shown)],
    });
  const isTool = shown.kind !== "instructions";
  const acceptText = shown.state === "gone" ? "Remove" : "Accept";

  const section = "Tool";
  useCommands([
    ...(canAccept
      ? [
          {
            id: "accept",
            title: `${acceptText} ${isTool ? "the tool" : "the instructions"}`,
            section,
            icon: "check" as const,
            keys: "a",
            run: accept,
          },
        ]
      : []),
    ...(isTool
      ? [
          {
            id: "block",
            title: isBlocked ? "Unblock the tool" : "Block the tool",
            section,
            icon: "blocked" as const,
            keys: "b",
            run: toggleBlock,
          },
        ]
      : []),
    { id: "close", title: "Close the tool", section, keys: "escape", hidden: true, run: onClose },
  ]);

  return (
    <section className={styles["detail"]} aria-label={`${shown.name} of ${shown.server}`}>
      <div className={styles["head"]}>
        <h2 ref={heading} tabIndex={-1} dir="auto">
          {visible(shown.name)}
        </h2>
        <IconButton icon="close" label="Close" keys="escape" small onClick={onClose} />
      </div>
      <div className={styles["body"]}>
        <ToolFacts entry={shown} />
        <ErrorNote error={error} />
        {isOutdated ? (
          <div className={styles["news"]} role="status">
            <Icon name="warning" />
            <span>The server's definition has changed.</span>
            <Button small onClick={() => setPinned(entry)}>
              Show the new one
            </Button>
          </div>
        ) : null}
        <ToolText entry={shown} />
      </div>
      {canAccept || isTool ? (
        <div className={styles["foot"]}>
          {canAccept ? (
            <Button variant="primary" disabled={isBusy} onClick={accept}>
              {acceptText}
              <Keys keys="a" />
            </Button>
          ) : null}
          {isTool ? (
            <Button
              variant={isBlocked ? "default" : "danger"}
              disabled={isBusy}
              onClick={toggleBlock}
            >
              {isBlocked ? "Unblock" : "Block"}
              <Keys keys="b" />
            </Button>
          ) : null}
        </div>
      ) : null}
    </section>
  );
};
