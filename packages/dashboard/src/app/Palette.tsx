import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Fragment, type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useAgents } from "../data/agents.ts";
import { type BriefIssue, useSearchIssues } from "../data/issues/issues.ts";
import { useMay } from "../data/live/session.ts";
import { useRecents } from "../data/recent.ts";
import { useServers } from "../data/servers/servers.ts";
import { bySection, useAllCommands } from "../parts/commands.ts";
import { Dialog } from "../parts/Dialog.tsx";
import { Icon } from "../parts/Icon.tsx";
import { Keys } from "../parts/Keys.tsx";
import { StatusIcon } from "../parts/StatusIcon.tsx";
import styles from "./Palette.module.css";

interface Option {
  readonly id: string;
  readonly section: string;
  readonly text: string;
  readonly icon: ReactNode;
  readonly keys?: string | undefined;
  readonly run: () => void;
}

/** Whether the text contains every word of the query, in any order. */
const matches = (text: string, query: string) =>
  query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word));

/**
 * The options that match the text. While `isSearching` is true, the issues still belong to the previous
 * query; `firstIssue` waits for the results of the current one.
 */
const useOptions = (
  query: string,
): {
  readonly options: ReadonlyArray<Option>;
  readonly isSearching: boolean;
  readonly firstIssue: () => Promise<Option | undefined>;
} => {
  const navigate = useNavigate();
  const found = useAllCommands().filter(
    ({ hidden, section, title }) => hidden !== true && matches(`${section} ${title}`, query),
  );
  const commands = bySection(found)
    .flatMap(([, commands]) => commands)
    .map(({ icon = "chevron", id, keys, run, section, title }) => ({
      id,
      section,
      text: title,
      icon: <Icon name={icon} />,
      keys,
      run,
    }));
  const searchIssues = useSearchIssues();
  const isNamed = query.length > 1;
  const search = useQuery({
    queryKey: ["issue search", query],
    queryFn: ({ signal }) => searchIssues(query, signal),
    enabled: isNamed,
    staleTime: 5_000,
    placeholderData: (previous) => previous,
  });
  const agents = (useAgents().data ?? []).filter(({ id }) => query !== "" && matches(id, query));
  const servers = (useServers(useMay("Admin")).data ?? []).filter(
    ({ name }) => query !== "" && matches(name, query),
  );
  const openIssue = (issueId: string) =>
    void navigate({ to: "/issues/$issueId", params: { issueId } });
  const openAgent = (agentId: string) =>
    void navigate({ to: "/agents/$agentId", params: { agentId } });
  // The palette mounts each time it opens, so one read is enough.
  const { recents } = useRecents();
  const [last] = useState(recents);
  const issueOption = ({ id, status, title }: BriefIssue) => ({
    id,
    section: "Issues",
    text: title,
    icon: <StatusIcon status={status} />,
    run: () => openIssue(id),
  });
  const firstIssue = async () => {
    const { data } = await search.refetch({ cancelRefetch: false });
    return data?.slice(0, 1).map(issueOption)[0];
  };
  const options = [
    ...(query === "" ? last : []).map(({ id, kind, text }) => ({
      id: `recent ${kind} ${id}`,
      section: "Recent",
      text,
      icon: <Icon name={kind === "issue" ? "issue" : "agents"} />,
      run: () => (kind === "issue" ? openIssue(id) : openAgent(id)),
    })),
    ...commands,
    ...(isNamed ? (search.data ?? []) : []).map(issueOption),
    ...agents.slice(0, 6).map(({ id }) => ({
      id: `agent ${id}`,
      section: "Agents",
      text: id,
      icon: <Icon name="agents" />,
      run: () => openAgent(id),
    })),
    ...servers.slice(0, 6).map(({ id, name }) => ({
      id: `server ${id}`,
      section: "Servers",
      text: name,
      icon: <Icon name="server" />,
      run: () => void navigate({ to: "/servers/$serverId", params: { serverId: id } }),
    })),
  ];
  return {
    options,
    isSearching: isNamed && (search.isPending || search.isPlaceholderData),
    firstIssue,
  };
};

/**
 * The command palette: finds commands, issues, agents and servers by name. Without text it lists recent
 * ones first.
 */
export const Palette = ({ onClose }: { readonly onClose: () => void }) => {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const { firstIssue, isSearching, options } = useOptions(text.trim());
  const selected = Math.min(at, options.length - 1);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();

  const select = (option: Option | undefined) => {
    if (option === undefined) return;
    flushSync(onClose);
    // Runs after the dialog has returned the focus, which it does in a microtask too, and before the next key.
    queueMicrotask(option.run);
  };
  const enter = async () => {
    const option = options[selected];
    if (!isSearching || (option !== undefined && option.section !== "Issues"))
      return select(option);
    const first = await firstIssue();
    if (input.current?.value === text) select(first);
  };
  const move = (by: number) => {
    const next = (selected + by + options.length) % Math.max(1, options.length);
    setAt(next);
    document.getElementById(`${id}${next}`)?.scrollIntoView({ block: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) move(by);
    else if (event.key === "Enter") void enter();
    else return;
    event.preventDefault();
  };

  return (
    <Dialog
      open
      bare
      title="Search and commands"
      onClose={onClose}
      initialFocus={input}
      className={styles["palette"]}
    >
      <div className={styles["paletteInput"]}>
        <Icon name="search" />
        <input
          ref={input}
          role="combobox"
          aria-label="Search issues, agents, servers and commands"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={options.length === 0 ? undefined : `${id}${selected}`}
          placeholder="Search issues, agents, servers and commands"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div className={styles["options"]} id={id} role="listbox" aria-label="Results">
        {options.length === 0 ? (
          <div className={styles["none"]}>No matches.</div>
        ) : (
          options.map((option, index) => (
            <Fragment key={option.id}>
              {option.section === options[index - 1]?.section ? null : (
                <div className={styles["section"]} role="presentation">
                  {option.section}
                </div>
              )}
              {/* The options need no key handler: the input keeps the focus. */}
              <div
                id={`${id}${index}`}
                className={styles["option"]}
                role="option"
                aria-selected={index === selected}
                tabIndex={-1}
                onPointerMove={() => setAt(index)}
                onClick={() => select(option)}
              >
                {option.icon}
                <span>{option.text}</span>
                {option.keys === undefined ? null : <Keys keys={option.keys} />}
              </div>
            </Fragment>
          ))
        )}
      </div>
    </Dialog>
  );
};
