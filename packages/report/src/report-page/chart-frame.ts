import { element } from "./element.ts";

/** One line of a chart, as its legend names it. */
export interface LegendEntry {
  readonly label: string;
  /** The index of its line color, from 1. */
  readonly color: number;
  /** True for the line of a base. @default false */
  readonly isDashed?: boolean;
  readonly setShown: (isShown: boolean) => void;
}

/** The numbers of a chart as a table, for screen readers and for exact reading. */
export interface ChartData {
  readonly columns: readonly string[];
  readonly rows: () => Iterable<readonly string[]>;
}

export interface ChartFrameOptions {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  readonly legend: readonly LegendEntry[];
  readonly data: ChartData;
  readonly buttons?: readonly HTMLButtonElement[];
}

/** The frame of a chart: its title, its legend with the values at the cursor, and its numbers. */
export class ChartFrame {
  readonly root: HTMLElement;
  /** The container of the drawing. It gets the keyboard focus. */
  readonly plot: HTMLElement;
  readonly #moment: HTMLElement;
  readonly #values: readonly HTMLElement[];

  constructor({ id, title, note, legend, data, buttons = [] }: ChartFrameOptions) {
    const heading = `chart-${id}`;
    this.plot = element("div", { class: "plot", tabindex: "0", role: "group", "aria-labelledby": heading });
    this.#moment = element("output", { class: "moment", for: heading });
    this.#values = legend.map(() => element("span", { class: "value" }));
    const entries = legend.map((entry, index) => createEntry(entry, this.#values[index] ?? ""));
    this.root = element(
      "figure",
      { class: "chart", "data-chart": id },
      element(
        "figcaption",
        {},
        element("h3", { id: heading }, title),
        element("span", { class: "note" }, note),
        element("span", { class: "buttons" }, ...buttons),
      ),
      element("div", { class: "legend" }, ...entries, this.#moment),
      this.plot,
      createData(title, data),
    );
  }

  /** Shows the values at the cursor; clears those that are absent. */
  showValues(moment: string, values: readonly string[]): void {
    this.#moment.textContent = moment;
    for (const [index, value] of this.#values.entries()) value.textContent = values[index] ?? "";
  }
}

function createEntry(
  { label, color, isDashed = false, setShown }: LegendEntry,
  value: HTMLElement | string,
): HTMLElement {
  const swatch = element("span", {
    class: `swatch line-${color}${isDashed ? " dashed" : ""}`,
    "aria-hidden": "true",
  });
  const button = element("button", { type: "button", "aria-pressed": "true" }, swatch, label, " ", value);
  button.addEventListener("click", () => {
    const isShown = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(isShown));
    setShown(isShown);
  });
  return button;
}

/**
 * Creates the table of numbers. It is filled each time it opens: it may have thousands of cells, and its
 * values may have changed.
 */
function createData(title: string, { columns, rows }: ChartData): HTMLElement {
  const details = element("details", { class: "data" }, element("summary", {}, "Show the numbers"));
  details.addEventListener("toggle", () => {
    details.querySelector(".scroll")?.remove();
    if (!details.open) return;
    const body = element("tbody");
    for (const row of rows()) body.append(element("tr", {}, ...row.map((text) => element("td", {}, text))));
    const head = element("tr", {}, ...columns.map((text) => element("th", { scope: "col" }, text)));
    const table = element("table", {}, element("caption", {}, title), element("thead", {}, head), body);
    details.append(
      element(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": `${title}: numbers` },
        table,
      ),
    );
  });
  return details;
}
