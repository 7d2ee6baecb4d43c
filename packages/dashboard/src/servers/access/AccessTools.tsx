import { useState } from "react";
import { useServerTools } from "../../data/servers/serverTools.ts";
import { ErrorNote } from "../../parts/ErrorNote.tsx";
import { Skeleton } from "../../parts/Skeleton.tsx";
import { visible } from "../../parts/visible.ts";
import { tokensText } from "../../toolBrowser/entry.ts";
import styles from "./AccessForm.module.css";

/** The maximum number of tools that render. Search finds the others. */
const most = 100;

/** A list to choose the tools of a grant. */
export const AccessTools = ({
  names,
  onChange,
  serverId,
}: {
  readonly serverId: string;
  readonly names: ReadonlyArray<string>;
  readonly onChange: (names: ReadonlyArray<string>) => void;
}) => {
  const { data, error, isPending } = useServerTools(serverId);
  const [q, setQ] = useState("");
  const tools = (data ?? []).filter(({ kind }) => kind === "tool");
  const prices = new Map(tools.map(({ name, tokens }) => [name, tokens]));
  // A grant may name tools that the server does not list yet.
  const all = [...new Set([...prices.keys(), ...names])];
  const found = all.filter((name) => name.toLowerCase().includes(q.trim().toLowerCase()));
  const toggle = (name: string) =>
    onChange(names.includes(name) ? names.filter((one) => one !== name) : [...names, name]);
  if (error !== null && data === undefined) return <ErrorNote error={error} />;
  if (isPending) return <Skeleton height={80} />;
  return (
    <fieldset className={styles["tools"]}>
      <legend>
        Tools: {names.length} of {all.length}
      </legend>
      {all.length > 8 ? (
        <input
          type="search"
          className={styles["find"]}
          aria-label="Find a tool"
          placeholder="Find a tool"
          value={q}
          onChange={(event) => setQ(event.target.value)}
        />
      ) : null}
      <ul>
        {found.slice(0, most).map((name) => (
          <li key={name}>
            <label>
              <input type="checkbox" checked={names.includes(name)} onChange={() => toggle(name)} />
              <span dir="auto">{visible(name)}</span>
              <small>
                {prices.has(name) ? tokensText(prices.get(name) ?? 0) : "no longer listed"}
              </small>
            </label>
          </li>
        ))}
      </ul>
      {found.length > most ? <p>{found.length - most} more. Search to find them.</p> : null}
    </fieldset>
  );
};
