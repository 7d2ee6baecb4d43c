import { createContext, useContext } from "react";
import { type Column, defaultColumns } from "./search.ts";

export const ColumnsContext = createContext<ReadonlyArray<Column>>(defaultColumns);

/** Whether the list shows a column. */
export const useColumns = (): ((column: Column) => boolean) => {
  const columns = useContext(ColumnsContext);
  return (column) => columns.includes(column);
};
