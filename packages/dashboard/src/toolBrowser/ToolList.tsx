import type { ReactNode } from "react";
import { Button } from "../parts/Button.tsx";
import { EmptyState } from "../parts/EmptyState.tsx";
import { ErrorNote } from "../parts/ErrorNote.tsx";
import { Skeleton } from "../parts/Skeleton.tsx";
import { VirtualList } from "../parts/VirtualList.tsx";
import type { ToolEntry } from "./entry.ts";
import styles from "./ToolBrowser.module.css";

const keyOf = ({ id }: ToolEntry) => id;

/** The matching tools, or the reason why there are none. */
export const ToolList = ({
  empty,
  entries,
  errors,
  onClear,
  row,
  shown,
}: {
  /** Null until the tools are loaded. */
  readonly entries: ReadonlyArray<ToolEntry> | null;
  readonly shown: ReadonlyArray<ToolEntry>;
  readonly errors: ReadonlyArray<Error>;
  readonly empty: ReactNode;
  readonly row: (entry: ToolEntry) => ReactNode;
  readonly onClear: () => void;
}) => {
  if (errors.length > 0 && (entries ?? []).length === 0) return <Errors errors={errors} />;
  if (entries === null) {
    return (
      <div className={styles["state"]}>
        <Skeleton height={24} />
        <Skeleton height={24} />
        <Skeleton height={24} />
      </div>
    );
  }
  if (entries.length === 0) return empty;
  return (
    <>
      <Errors errors={errors} />
      {shown.length === 0 ? (
        <EmptyState
          icon="filter"
          title="No tool matches"
          text="No tool matches all of these filters."
          action={<Button onClick={onClear}>Clear the filters</Button>}
        />
      ) : (
        <VirtualList
          className={styles["list"]}
          items={shown}
          keyOf={keyOf}
          row={row}
          height={40}
          label="Tools"
        />
      )}
    </>
  );
};

const Errors = ({ errors }: { readonly errors: ReadonlyArray<Error> }) =>
  errors.length === 0 ? null : (
    <div className={styles["state"]}>
      {errors.slice(0, 3).map((error) => (
        <ErrorNote key={error.message} error={error} />
      ))}
    </div>
  );
