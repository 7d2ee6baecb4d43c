import { getRouteApi } from "@tanstack/react-router";
import { useCallback, useRef } from "react";
import { type AuditEntry, auditKinds, useAudit } from "../data/audit.ts";
import { useName } from "../data/live/names.ts";
import { Chooser } from "../parts/Chooser.tsx";
import { useCommands } from "../parts/commands.ts";
import { EmptyState } from "../parts/EmptyState.tsx";
import { FilterChip } from "../parts/FilterChip.tsx";
import { ScreenHead } from "../parts/ScreenHead.tsx";
import { ScreenList } from "../parts/ScreenList.tsx";
import { AuditRow } from "./AuditRow.tsx";
import styles from "./Audit.module.css";

const route = getRouteApi("/audit");

const kindNames: Readonly<Record<(typeof auditKinds)[number], string>> = {
  key: "Keys",
  session: "Sessions",
  access: "Access",
  server: "Servers",
  catalogEntry: "Catalog",
  agent: "Agents",
  project: "Projects",
  webhook: "Webhooks",
};

const ActorChip = ({ id, onClear }: { readonly id: string; readonly onClear: () => void }) => (
  <FilterChip text={useName(id).name} onClear={onClear} />
);

/** The audit log, with filters by kind and actor. */
export const Audit = () => {
  const { actor, kind } = route.useSearch();
  const navigate = route.useNavigate();
  const chooser = useRef<HTMLButtonElement>(null);
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage, isPending } = useAudit(
    kind,
    actor,
  );
  const entries = data?.pages.flatMap(({ items }) => items) ?? [];
  const ofActor = useCallback(
    (id: string) => void navigate({ search: (search) => ({ ...search, actor: id }) }),
    [navigate],
  );
  const row = useCallback(
    ({ entry }: { readonly entry: AuditEntry }) => <AuditRow entry={entry} onActor={ofActor} />,
    [ofActor],
  );

  useCommands([
    {
      id: "kind",
      title: "Filter by kind of change",
      section: "Audit log",
      icon: "filter",
      keys: "f",
      run: () => chooser.current?.click(),
    },
  ]);

  return (
    <>
      <ScreenHead title="Audit log">
        <Chooser
          button={chooser}
          label="Changes of"
          all="All changes"
          choices={auditKinds.map((name) => kindNames[name])}
          value={kind === undefined ? undefined : kindNames[kind]}
          onSelect={(chosen) =>
            void navigate({
              search: { actor, kind: auditKinds.find((name) => kindNames[name] === chosen) },
            })
          }
        />
        {actor === undefined ? null : (
          <ActorChip id={actor} onClear={() => void navigate({ search: { kind } })} />
        )}
      </ScreenHead>
      <ScreenList
        className={styles["list"]}
        label="Audit log"
        items={entries.map((entry, index) => ({ entry, index }))}
        keyOf={({ index }) => index}
        height={40}
        onEnd={hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined}
        row={row}
        isPending={isPending}
        error={error}
        empty={
          <EmptyState
            icon="list"
            title="No entries"
            text="Changes of keys, sessions, access, servers and settings appear here: who made them, when and from where, without values."
            command="quartermaster audit --from 30d"
          />
        }
      />
    </>
  );
};
