import { type FormEvent, useState } from "react";
import { type AccessEntry, useSaveAccess } from "../../data/servers/access.ts";
import { Button } from "../../parts/Button.tsx";
import { ErrorNote } from "../../parts/ErrorNote.tsx";
import { Field } from "../../parts/Field.tsx";
import { Popover } from "../../parts/Popover.tsx";
import { AccessTools } from "./AccessTools.tsx";
import styles from "./AccessForm.module.css";

const choices = [
  { value: "none", label: "No access" },
  { value: "all", label: "All tools" },
  { value: "some", label: "Some tools" },
] as const;

type Choice = (typeof choices)[number]["value"];

const choiceOf = ({ granted, tools }: AccessEntry): Choice =>
  granted ? (tools === null ? "all" : "some") : "none";

const limitOf = (text: string): number | null => (text === "" ? null : Number(text));
const textOf = (limit: number | null): string => (limit === null ? "" : String(limit));

/** The form for one agent's access to one server. It closes once the server has saved it. */
export const AccessForm = ({
  anchor,
  entry,
  onClose,
  serverId,
  serverName,
}: {
  readonly anchor: Element;
  readonly entry: AccessEntry;
  readonly serverId: string;
  readonly serverName: string;
  readonly onClose: () => void;
}) => {
  const save = useSaveAccess();
  const [choice, setChoice] = useState<Choice>(choiceOf(entry));
  const [tools, setTools] = useState<ReadonlyArray<string>>(entry.tools ?? []);
  const [readOnly, setReadOnly] = useState(entry.readOnly);
  const [perMinute, setPerMinute] = useState(textOf(entry.callsPerMinute));
  const [inFlight, setInFlight] = useState(textOf(entry.maxConcurrentCalls));
  const isGranted = choice !== "none";

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { agentId } = entry;
    save.mutate(
      isGranted
        ? {
            serverId,
            agentId,
            granted: true,
            tools: choice === "all" ? null : tools,
            readOnly,
            callsPerMinute: limitOf(perMinute),
            maxConcurrentCalls: limitOf(inFlight),
          }
        : { serverId, agentId, granted: false },
      { onSuccess: onClose },
    );
  };

  return (
    <Popover anchor={anchor} title={`${entry.agentId} and ${serverName}`} onClose={onClose}>
      <form className={styles["form"]} onSubmit={submit}>
        <fieldset className={styles["choices"]}>
          <legend>Access</legend>
          {choices.map(({ label, value }) => (
            <label key={value}>
              <input
                type="radio"
                name="access"
                value={value}
                checked={choice === value}
                onChange={() => setChoice(value)}
              />
              {label}
            </label>
          ))}
        </fieldset>
        {choice === "some" ? (
          <AccessTools serverId={serverId} names={tools} onChange={setTools} />
        ) : null}
        {isGranted ? (
          <>
            <label className={styles["check"]}>
              <input
                type="checkbox"
                checked={readOnly}
                onChange={(event) => setReadOnly(event.target.checked)}
              />
              <span>
                Read-only
                <small>Only tools that declare themselves read-only</small>
              </span>
            </label>
            <div className={styles["pair"]}>
              <Field
                label="Calls per minute"
                type="number"
                min={1}
                max={100_000}
                placeholder="No limit"
                value={perMinute}
                onValueChange={setPerMinute}
              />
              <Field
                label="Calls in flight"
                type="number"
                min={1}
                max={100_000}
                placeholder="No limit"
                value={inFlight}
                onValueChange={setInFlight}
              />
            </div>
          </>
        ) : null}
        <ErrorNote error={save.error} />
        <div className={styles["foot"]}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={save.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Popover>
  );
};
