import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Fragment, type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useIssueRows } from "../data/issues/issues.ts";
import { useRecents } from "../data/recent.ts";
import { type Finding, useSearch } from "../data/search.ts";
import { bySection, useAllCommands } from "../parts/commands.ts";
import { Dialog } from "../parts/Dialog.tsx";
import { Icon } from "../parts/Icon.tsx";
import { Keys } from "../parts/Keys.tsx";
import { Marked, unmarked } from "../parts/Marked.tsx";
import { StatusIcon } from "../parts/StatusIcon.tsx";
import styles from "./Palette.module.css";

interface Option {
  readonly id: string;
  readonly section: string;
  readonly text: ReactNode;
  /** The key of an issue. */
  readonly issueKey?: string | null;
  /** The text around the match, unless the match is in the title. */
  readonly snippet?: string | null;
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

const sections = {
  issue: "Issues",
  project: "Projects",
  agent: "Agents",
  server: "Servers",
} as const;
/** An issue whose status is not loaded has the icon of its screen: the others look like a status. */
const icons = { issue: "board", project: "folder", agent: "agents", server: "server" } as const;
const kinds = ["issue", "project", "agent", "server"] as const;
const isFound = ({ section }: Option) => Object.values<string>(sections).includes(section);

/**
 * The options that match the text. While `isSearching` is true, what the server found still belongs to
 * the previous query; `firstFound` waits for the results of the current one.
 */
const useOptions = (
  query: string,
): {
  readonly options: ReadonlyArray<Option>;
  readonly isSearching: boolean;
  readonly firstFound: () => Promise<Option | undefined>;
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
  const find = useSearch();
  const isNamed = query.length > 1;
  const search = useQuery({
    queryKey: ["search", query],
    queryFn: ({ signal }) => find(query, signal),
    enabled: isNamed,
    staleTime: 5_000,
    placeholderData: (previous) => previous,
  });
  const openIssue = (issueId: string) =>
    void navigate({ to: "/issues/$issueId", params: { issueId } });
  const openAgent = (agentId: string) =>
    void navigate({ to: "/agents/$agentId", params: { agentId } });
  // The palette mounts each time it opens, so one read is enough.
  const { recents } = useRecents();
  const [last] = useState(recents);
  const open = ({ id, key, kind }: Finding) => {
    if (kind === "issue") return openIssue(key ?? id);
    if (kind === "agent") return openAgent(id);
    return void (kind === "server"
      ? navigate({ to: "/servers/$serverId", params: { serverId: id } })
      : navigate({ to: "/work", search: { project: [id] } }));
  };
  const { find: rowOf } = useIssueRows();
  const iconOf = (kind: Finding["kind"], id: string) => {
    const status = kind === "issue" ? rowOf(id)?.status : undefined;
    return status === undefined ? <Icon name={icons[kind]} /> : <StatusIcon status={status} />;
  };
  const optionOf = (found: Finding): Option => {
    const { key, kind, snippet, title } = found;
    const isTitle = snippet !== null && unmarked(snippet) === title;
    return {
      id: `${kind} ${found.id}`,
      section: sections[kind],
      text: isTitle ? <Marked text={snippet} /> : title,
      issueKey: key,
      snippet: isTitle ? null : snippet,
      icon: iconOf(kind, found.id),
      run: () => open(found),
    };
  };
  const inSections = (found: ReadonlyArray<Finding>) =>
    kinds.flatMap((kind) => found.filter((each) => each.kind === kind)).map(optionOf);
  const firstFound = async () => {
    const { data } = await search.refetch({ cancelRefetch: false });
    return inSections(data ?? [])[0];
  };
  const options: ReadonlyArray<Option> = [
    ...(query === "" ? last : []).map(({ id, kind, text }) => ({
      id: `recent ${kind} ${id}`,
      section: "Recent",
      text,
      icon: iconOf(kind, id),
      run: () => (kind === "issue" ? openIssue(id) : openAgent(id)),
    })),
    ...commands,
    ...inSections(isNamed ? (search.data ?? []) : []),
  ];
  return {
    options,
    isSearching: isNamed && (search.isPending || search.isPlaceholderData),
    firstFound,
  };
};

/**
 * The command palette: finds commands by name, and issues, projects, agents and servers by search. Without text it lists recent
 * ones first.
 */
export const Palette = ({ onClose }: { readonly onClose: () => void }) => {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const { firstFound, isSearching, options } = useOptions(text.trim());
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
    if (!isSearching || (option !== undefined && !isFound(option))) return select(option);
    const first = await firstFound();
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
                {option.issueKey == null ? null : (
                  <span className={styles["key"]}>{option.issueKey}</span>
                )}
                <span className={styles["text"]}>{option.text}</span>
                {option.snippet == null ? null : (
                  <span className={styles["snippet"]}>
                    <Marked text={option.snippet} />
                  </span>
                )}
                {option.keys === undefined ? null : <Keys keys={option.keys} />}
              </div>
            </Fragment>
          ))
        )}
      </div>
    </Dialog>
  );
};
