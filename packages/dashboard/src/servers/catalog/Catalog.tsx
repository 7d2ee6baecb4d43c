import { getRouteApi } from "@tanstack/react-router";
import { useRef } from "react";
import { useCatalog, useHost } from "../../data/servers/catalog.ts";
import { categories } from "../../data/servers/categories.ts";
import { useServers } from "../../data/servers/servers.ts";
import { Button } from "../../parts/Button.tsx";
import { useCommands } from "../../parts/commands.ts";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { FindField } from "../../parts/FindField.tsx";
import { ScreenHead } from "../../parts/ScreenHead.tsx";
import { ScreenState } from "../../parts/ScreenState.tsx";
import { useSteps } from "../../parts/steps.ts";
import { toServers } from "../path.tsx";
import { categoryNames } from "../words.ts";
import { EntryCard } from "./EntryCard.tsx";
import styles from "./Catalog.module.css";

const route = getRouteApi("/servers/catalog");

/** The catalog of servers. The URL stores the search and the category. */
export const Catalog = () => {
  const { category, q } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, isPending } = useCatalog();
  const host = useHost().data;
  const installed = useServers().data ?? [];
  const input = useRef<HTMLInputElement>(null);
  const show = (search: { q?: string | undefined; category?: typeof category }) =>
    void navigate({ search: (before) => ({ ...before, ...search }), replace: true });
  useSteps("[data-item]", "entry");
  useCommands([
    {
      id: "find",
      title: "Find in the catalog",
      section: "Catalog",
      icon: "search",
      keys: "/",
      run: () => input.current?.focus(),
    },
  ]);
  const words = (q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const entries = (data ?? []).filter((entry) => {
    const text = `${entry.id} ${entry.name} ${entry.description}`.toLowerCase();
    return (
      (category === undefined || entry.category === category) &&
      words.every((word) => text.includes(word))
    );
  });
  return (
    <>
      <ScreenHead
        title="Catalog"
        path={toServers}
        count={data === undefined ? undefined : entries.length}
        actions={
          <FindField
            label="Find in the catalog"
            value={q}
            input={input}
            onFind={(text) => show({ q: text })}
          />
        }
      />
      <div className={styles["categories"]} role="group" aria-label="Category">
        {[undefined, ...categories].map((one) => (
          <Button
            key={one ?? "all"}
            small
            variant="quiet"
            aria-pressed={one === category}
            onClick={() => show({ category: one })}
          >
            {one === undefined ? "All" : categoryNames[one]}
          </Button>
        ))}
      </div>
      <ScreenState error={error} isPending={isPending} height={84} />
      {data === undefined ? null : entries.length === 0 ? (
        <EmptyState
          icon="search"
          title="No entries match"
          text="Use fewer words or another category. An Owner can add entries with the API, or import a server.json."
          command="quartermaster server catalog"
          action={
            <Button onClick={() => show({ q: undefined, category: undefined })}>Show all</Button>
          }
        />
      ) : (
        <ul className={styles["entries"]} aria-label="Catalog entries">
          {entries.map((entry) => (
            <EntryCard
              key={entry.id}
              entry={entry}
              host={host}
              installed={installed.filter(({ catalogId }) => catalogId === entry.id).length}
            />
          ))}
        </ul>
      )}
    </>
  );
};
