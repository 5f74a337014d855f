import type { CellFacts, ColumnFacts, TableFacts, TableRow } from "../reporters/html/page-facts.ts";
import { element } from "./element.ts";

/** A table with fewer rows is read faster than it is filtered. */
const manyRows = 8;

/** A table that its reader may sort by any column, and filter by any text in it. */
export function createDataTable(facts: TableFacts): HTMLElement {
  const { id, title, note, columns, rows } = facts;
  const bodies = rows.map((row) => ({ row, body: createRow(row, columns) }));
  const table = element("table", { "aria-labelledby": `table-${id}` });
  const headers = columns.map((column) => createHeader(column));
  let [sorted, isDescending] = [-1, false];
  for (const [index, { button }] of headers.entries())
    button.addEventListener("click", () => {
      // Of numbers, the greatest are looked for first.
      isDescending = sorted === index ? !isDescending : columns[index]?.isNumber === true;
      sorted = index;
      for (const [at, { cell }] of headers.entries())
        cell.setAttribute("aria-sort", at !== index ? "none" : isDescending ? "descending" : "ascending");
      bodies.sort((left, right) => compare(left.row, right.row, index) * (isDescending ? -1 : 1));
      table.append(...bodies.map(({ body }) => body));
    });
  table.append(
    element("thead", {}, element("tr", {}, ...headers.map(({ cell }) => cell))),
    ...bodies.map(({ body }) => body),
  );
  const head = element(
    "div",
    { class: "table-head" },
    element("h2", { id: `table-${id}` }, title),
    element("span", { class: "note" }, note),
  );
  if (rows.length >= manyRows) head.append(createFilter(title, bodies));
  const scroll = element(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-labelledby": `table-${id}` },
    table,
  );
  return element("section", { class: "panel", id, "data-table": id }, head, scroll);
}

interface Header {
  readonly cell: HTMLElement;
  readonly button: HTMLButtonElement;
}

function createHeader({ title, isNumber }: ColumnFacts): Header {
  const button = element("button", { type: "button" }, title);
  const attributes = { scope: "col", "aria-sort": "none", ...(isNumber && { class: "number" }) };
  return { cell: element("th", attributes, button), button };
}

/** A row is a body of its own, so that the lines below it stay with it. */
function createRow({ cells, detail }: TableRow, columns: readonly ColumnFacts[]): HTMLElement {
  const body = element("tbody");
  body.append(element("tr", {}, ...cells.map((cell, index) => createCell(cell, columns[index]))));
  if (detail !== "") {
    const text = element("td", { colspan: String(columns.length) }, detail);
    body.append(element("tr", { class: "detail" }, text));
  }
  return body;
}

function createCell({ text, tone }: CellFacts, column: ColumnFacts | undefined): HTMLElement {
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

function createFilter(
  title: string,
  bodies: readonly { readonly row: TableRow; readonly body: HTMLElement }[],
): HTMLElement {
  const input = element("input", { type: "search", placeholder: "Filter", "aria-label": `Filter ${title}` });
  input.addEventListener("input", () => {
    const wanted = input.value.trim().toLowerCase();
    for (const { row, body } of bodies) {
      const text = [...row.cells.map((cell) => cell.text), row.detail].join("\n").toLowerCase();
      body.hidden = !text.includes(wanted);
    }
  });
  return input;
}
