import type { Cell } from "./Clause.ts";

/**
 * Table layouts: the columns of a table and their mapping to a row's fields. The select list, the
 * decoding of rows, inserts and updates all derive from one layout.
 */

/**
 * A pass over a row's fields. When reading, each method returns the value of the next cell; when
 * writing, it stores the cell of the value. The tables are STRICT and contain only values written
 * here, so cells are not validated again.
 */
export interface Cells {
  /** A column that stores the value unchanged. */
  plain<A extends Cell>(column: string, value: A): A;
  /** Stored as 0 or 1. */
  boolean(column: string, value: boolean): boolean;
  /** One of `values`, stored as its index, by which it sorts. */
  ranked<A extends string>(column: string, value: A, values: readonly [A, ...ReadonlyArray<A>]): A;
  /** Stored as JSON; null as NULL. */
  json<A>(column: string, value: A): A;
  /**
   * Selected by an expression over the table or its alias. Without a column (null) the value is not
   * stored.
   */
  derived<A extends Cell>(column: string | null, textOf: (alias: string) => string, value: A): A;
  /** Stored in the columns `prefix_type` and `prefix_id`. */
  actor<A extends Actor>(prefix: string, value: A): A;
}

interface Actor {
  readonly type: string;
  readonly id: string;
}

/**
 * Lists the columns of a row in order, as an object literal whose fields are cells. V8 compiles it,
 * so decoding takes as long as hand-written code; a loop over a list of fields takes 15 times as
 * long (measured with the 21 columns of an issue).
 */
export type Layout<Row> = (cells: Cells, row: Row) => Row;

class Reader implements Cells {
  #at: number;
  readonly #cells: ReadonlyArray<unknown>;

  constructor(cells: ReadonlyArray<unknown>, from: number) {
    this.#cells = cells;
    this.#at = from;
  }

  plain<A extends Cell>(_column: string, _value: A): A {
    return this.#cells[this.#at++] as A;
  }

  derived<A extends Cell>(_column: unknown, _textOf: unknown, value: A): A {
    return this.plain("", value);
  }

  boolean(): boolean {
    return this.#cells[this.#at++] === 1;
  }

  ranked<A extends string>(
    column: string,
    _value: A,
    values: readonly [A, ...ReadonlyArray<A>],
  ): A {
    return values[this.plain(column, 0)] ?? values[0];
  }

  json<A>(column: string, _value: A): A {
    const text = this.plain<string | null>(column, null);
    // Avoids `JSON.parse` for NULL: every request reads one such cell, the key's projects.
    return text === null ? (null as A) : JSON.parse(text);
  }

  actor<A extends Actor>(_prefix: string, _value: A): A {
    return { type: this.#cells[this.#at++], id: this.#cells[this.#at++] } as A;
  }
}

class Writer implements Cells {
  readonly cells: Array<Cell> = [];

  plain<A extends Cell>(_column: string, value: A): A {
    this.cells.push(value);
    return value;
  }

  derived<A extends Cell>(column: string | null, _textOf: unknown, value: A): A {
    return column === null ? value : this.plain(column, value);
  }

  boolean(column: string, value: boolean): boolean {
    this.plain(column, Number(value));
    return value;
  }

  ranked<A extends string>(column: string, value: A, values: ReadonlyArray<A>): A {
    this.plain(column, values.indexOf(value));
    return value;
  }

  json<A>(column: string, value: A): A {
    this.plain(column, value === null ? null : JSON.stringify(value));
    return value;
  }

  actor<A extends Actor>(_prefix: string, value: A): A {
    this.cells.push(value.type, value.id);
    return value;
  }
}

/** Collects the column names and the select list. It reads no values, because there is no row. */
class Namer implements Cells {
  readonly columns: Array<string> = [];
  readonly selected: Array<(alias: string) => string> = [];

  #add<A>(column: string, value: A): A {
    this.columns.push(column);
    this.selected.push((alias) => `${alias}.${column}`);
    return value;
  }

  derived<A>(column: string | null, textOf: (alias: string) => string, value: A): A {
    if (column !== null) this.columns.push(column);
    this.selected.push(textOf);
    return value;
  }

  plain<A>(column: string, value: A): A {
    return this.#add(column, value);
  }

  boolean(column: string, value: boolean): boolean {
    return this.#add(column, value);
  }

  ranked<A>(column: string, value: A): A {
    return this.#add(column, value);
  }

  json<A>(column: string, value: A): A {
    return this.#add(column, value);
  }

  actor<A>(prefix: string, value: A): A {
    return this.#add(`${prefix}_id`, this.#add(`${prefix}_type`, value));
  }
}

export interface Table<Row> {
  readonly name: string;
  readonly columns: ReadonlyArray<string>;
  /** The select list, for the table itself or for `alias`. */
  readonly select: (alias?: string) => string;
  /** The number of cells of a row in the select list. */
  readonly width: number;
  /** Decodes the row whose cells start at `from`. */
  readonly toRow: (cells: ReadonlyArray<unknown>, from?: number) => Row;
  /**
   * The cells of a row, in the order of `columns`. SQLite assigns the next `seq` to a row without
   * one.
   */
  readonly toCells: (row: New<Row>) => ReadonlyArray<Cell>;
}

export type New<Row> = Omit<Row, "seq">;

export const make = <Row>(name: string, layout: Layout<Row>): Table<Row> => {
  // A placeholder row, whose values are never read.
  const nothing = {} as Row;
  const namer = new Namer();
  layout(namer, nothing);
  const { columns, selected } = namer;
  return {
    name,
    columns,
    width: selected.length,
    select: (alias = name) => selected.map((textOf) => textOf(alias)).join(", "),
    toRow: (cells, from = 0) => layout(new Reader(cells, from), nothing),
    toCells: (row) => {
      const written = new Writer();
      // A missing `seq` gives an undefined cell, which is bound as NULL.
      layout(written, row as Row);
      return written.cells;
    },
  };
};

/** Columns of a table that are updated together. */
export interface Part<Row> {
  readonly columns: ReadonlyArray<string>;
  /** The `id` of a row, then the cells of the columns. */
  readonly toCells: (row: Row) => ReadonlyArray<Cell>;
}

export const part = <Row extends { readonly id: string }>(
  table: Table<Row>,
  columns: ReadonlyArray<string>,
): Part<Row> => {
  const places = columns.map((column) => table.columns.indexOf(column));
  return {
    columns,
    toCells: (row) => {
      const cells = table.toCells(row);
      return [row.id, ...places.map((place) => cells[place] ?? null)];
    },
  };
};
