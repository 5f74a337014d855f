import type { CellData, ColumnData, TableData, TableRow } from "../html/page-data.ts";
import { element } from "./element.ts";

/** Tables with fewer rows get no filter. */
const manyRows = 8;

interface Body {
  readonly row: TableRow;
  readonly body: HTMLElement;
}

/** A table that readers can sort by any column, and filter by any text in it. */
export class DataTable {
  readonly root: HTMLElement;
  readonly #columns: readonly ColumnData[];
  readonly #table: HTMLTableElement;
  readonly #head: HTMLElement;
  readonly #filter: HTMLInputElement;
  #bodies: Body[] = [];
  /** The column that the rows are sorted by; null for the original order. */
  #sorted: number | null = null;
  #isDescending = false;

  constructor({ id, title, note, columns, rows }: TableData) {
    this.#columns = columns;
    const headers = columns.map((column) => createHeader(column));
    this.#table = element(
      "table",
      { "aria-labelledby": `table-${id}` },
      element("thead", {}, element("tr", {}, ...headers.map(({ cell }) => cell))),
    );
    for (const [index, { button }] of headers.entries())
      button.addEventListener("click", () => {
        // Readers want the largest numbers first.
        this.#isDescending = this.#sorted === index ? !this.#isDescending : columns[index]?.isNumber === true;
        this.#sorted = index;
        const order = this.#isDescending ? "descending" : "ascending";
        for (const [at, { cell }] of headers.entries())
          cell.setAttribute("aria-sort", at === index ? order : "none");
        this.#sort();
      });
    this.#filter = element("input", {
      type: "search",
      placeholder: "Filter",
      "aria-label": `Filter ${title}`,
    });
    this.#filter.addEventListener("input", () => this.#hide());
    this.#head = element(
      "div",
      { class: "table-head" },
      element("h2", { id: `table-${id}` }, title),
      element("span", { class: "note" }, note),
    );
    const scroll = element(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-labelledby": `table-${id}` },
      this.#table,
    );
    this.root = element("section", { class: "panel", id, "data-table": id }, this.#head, scroll);
    this.update(rows);
  }

  /** Replaces the rows, but keeps the reader's sort order and filter. */
  update(rows: readonly TableRow[]): void {
    for (const { body } of this.#bodies) body.remove();
    this.#bodies = rows.map((row) => ({ row, body: createRow(row, this.#columns) }));
    if (rows.length >= manyRows && !this.#filter.isConnected) this.#head.append(this.#filter);
    this.#sort();
    this.#hide();
  }

  #sort(): void {
    const column = this.#sorted;
    if (column !== null)
      this.#bodies.sort(
        (left, right) => compare(left.row, right.row, column) * (this.#isDescending ? -1 : 1),
      );
    this.#table.append(...this.#bodies.map(({ body }) => body));
  }

  #hide(): void {
    const wanted = this.#filter.value.trim().toLowerCase();
    for (const { row, body } of this.#bodies) {
      const text = [...row.cells.map((cell) => cell.text), row.detail].join("\n").toLowerCase();
      body.hidden = !text.includes(wanted);
    }
  }
}

interface Header {
  readonly cell: HTMLElement;
  readonly button: HTMLButtonElement;
}

function createHeader({ title, isNumber }: ColumnData): Header {
  const button = element("button", { type: "button" }, title);
  const attributes = { scope: "col", "aria-sort": "none", ...(isNumber && { class: "number" }) };
  return { cell: element("th", attributes, button), button };
}

/** Creates a `tbody` for each row, so that the lines below the row stay with it. */
function createRow({ cells, detail }: TableRow, columns: readonly ColumnData[]): HTMLElement {
  const body = element("tbody");
  body.append(element("tr", {}, ...cells.map((cell, index) => createCell(cell, columns[index]))));
  if (detail !== "") {
    const text = element("td", { colspan: String(columns.length) }, detail);
    body.append(element("tr", { class: "detail" }, text));
  }
  return body;
}

function createCell({ text, tone }: CellData, column: ColumnData | undefined): HTMLElement {
  const classes = [
    column?.isNumber === true ? "number" : "text",
    ...(tone === undefined ? [] : [`tone-${tone}`]),
  ];
  return element("td", { class: classes.join(" ") }, text);
}

function compare(left: TableRow, right: TableRow, column: number): number {
  const [one, other] = [left.cells[column], right.cells[column]];
  if (one?.value !== undefined && other?.value !== undefined) return one.value - other.value;
  if (one?.value !== undefined || other?.value !== undefined) return one?.value === undefined ? -1 : 1;
  return (one?.text ?? "").localeCompare(other?.text ?? "", "en", { numeric: true });
}
