import type { PageData, TableData } from "../html/page-data.ts";
import { element } from "./element.ts";
import { DataTable } from "./data-table.ts";
import { Figures } from "./figures.ts";
import { ReportHeader } from "./report-header.ts";
import { Timeline } from "./timeline.ts";

/** The page of a live run: created once, then updated without losing zoom, sorting and filters. */
class LiveReport {
  readonly #header: ReportHeader;
  readonly #figures: Figures;
  readonly #tables = new Map<string, DataTable>();
  readonly #tableBox = element("div", { class: "tables" });
  readonly #timelineBox = element("div");
  #timeline: Timeline | null = null;

  constructor(data: PageData) {
    this.#header = new ReportHeader(data);
    this.#figures = new Figures(data.figures);
    document.body.replaceChildren(
      this.#header.root,
      element("main", {}, this.#figures.root, this.#timelineBox, this.#tableBox),
    );
    this.update(data);
  }

  update(data: PageData): void {
    this.#header.update(data);
    this.#figures.update(data.figures);
    this.#updateTimeline(data);
    this.#updateTables(data.tables);
  }

  /** Shows that contact with the run is lost, until the next update. */
  showLost(): void {
    const text = "This page has lost contact with the run. Its terminal shows whether it is still running.";
    this.#header.update({ verdict: { tone: "warning", word: "no contact", reasons: [{ text, frame: "" }] } });
  }

  /** Closes the charts. Call this before another page replaces this one. */
  close(): void {
    this.#timeline?.close();
  }

  #updateTimeline({ timeline }: PageData): void {
    if (timeline === null) return;
    if (this.#timeline === null) {
      this.#timeline = new Timeline(timeline);
      this.#timelineBox.replaceChildren(this.#timeline.root);
    } else this.#timeline.update(timeline);
  }

  #updateTables(data: readonly TableData[]): void {
    const shown = [...this.#tableBox.children];
    const roots = data.map((table) => {
      const known = this.#tables.get(table.id);
      const one = known ?? new DataTable(table);
      this.#tables.set(table.id, one);
      if (known !== undefined) known.update(table.rows);
      return one.root;
    });
    if (roots.length !== shown.length || roots.some((root, index) => root !== shown[index]))
      this.#tableBox.replaceChildren(...roots);
  }
}

/**
 * Shows the states of a live run as its server sends them; `showEnd` shows the report once the run is over.
 */
export function followRun(first: PageData, showEnd: (data: PageData) => void): void {
  const page = new LiveReport(first);
  const events = new EventSource(`events${location.search}`);
  // The type is right, because bearhug's own server sends these data.
  const read = ({ data }: MessageEvent<string>): PageData => JSON.parse(data) as PageData;
  events.addEventListener("data", (event: MessageEvent<string>) => page.update(read(event)));
  events.addEventListener("end", (event: MessageEvent<string>) => {
    events.close();
    page.close();
    showEnd(read(event));
  });
  events.addEventListener("error", () => page.showLost());
}
