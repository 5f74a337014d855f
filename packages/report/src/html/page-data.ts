import type { Cell, Tone } from "../model/table.ts";

/** Everything that the page of a report shows: formatted texts, and numbers for charts and sorting. */
export interface PageData {
  /** True for a live run: the page then subscribes to updates from its server. */
  readonly isRunning: boolean;
  readonly title: string;
  readonly verdict: VerdictData;
  readonly about: AboutData;
  readonly figures: readonly Figure[];
  /** Null if nothing was measured. */
  readonly timeline: TimelineData | null;
  readonly percentiles: PercentileData | null;
  /** Null for a run that was not compared with a base. */
  readonly compared: ComparedData | null;
  /** Comparisons of loads, and of variants. */
  readonly comparisons: readonly ComparisonData[];
  /** Visits to pages. */
  readonly waterfalls: Selection<WaterfallData>;
  /** Failed exchanges. */
  readonly examples: Selection<ExampleData>;
  readonly tables: readonly TableData[];
  /** Null for a run that has not ended. */
  readonly download: DownloadData | null;
}

/** A selection of items. */
export interface Selection<Item> {
  readonly items: readonly Item[];
  /** The meaning of the items, and how many are left out. */
  readonly note: string;
}

/** The verdict of a run, or its current state. */
export interface VerdictData {
  readonly tone: Tone;
  readonly word: string;
  /** A sentence each, with an optional frame: lines of the test's source. */
  readonly reasons: readonly { readonly text: string; readonly frame: string }[];
}

/** Labelled details of a run, such as its test, target and time. */
export interface AboutData {
  readonly title: string;
  readonly entries: readonly LabelledText[];
}

export interface LabelledText {
  readonly label: string;
  readonly text: string;
}

/** One of the key figures at the top of the page. */
export interface Figure extends LabelledText {
  readonly detail: string;
  readonly tone: Tone;
}

/** The unit of a chart's values. */
export type ChartUnit = "ms" | "count" | "share" | "percent" | "per second" | "bytes" | "bytes per second";

/** The run over time. */
export interface TimelineData {
  /** The end of each interval, in seconds from the start of the load. */
  readonly seconds: readonly number[];
  readonly charts: readonly LineChartData[];
  readonly heatMap: HeatMapData | null;
}

/** A chart of lines over the places of an axis: the moments of a run, or loads. */
export interface LineChartData {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  readonly unit: ChartUnit;
  /** The lines, each with one value per place of the axis; null where it has none. */
  readonly lines: readonly LineData[];
}

export interface LineData {
  readonly label: string;
  readonly values: readonly (number | null)[];
  /** Present for a line of the base. These follow the others, in the same order. */
  readonly isBase?: true;
}

/** The comparison of a run with a base, or of two runs. */
export interface ComparedData {
  readonly tone: Tone;
  /** The answer: REGRESSED, OK or UNDECIDED. */
  readonly word: string;
  /** The two sides. */
  readonly sides: string;
  /** The reasons for the answer, and notes, a sentence each. */
  readonly sentences: readonly string[];
  /** The figures that decide. */
  readonly figures: TableData;
  /** Further figures, which decide nothing; null if there are none. */
  readonly exploratory: TableData | null;
}

/** Charts over loads, percentiles, trials or times, with their findings. */
export interface ComparisonData {
  readonly id: string;
  readonly title: string;
  /** Its findings, a sentence each. */
  readonly sentences: readonly string[];
  /** The name of the axis, such as load or percentile. */
  readonly axis: string;
  /** The labels of the axis, in its order, such as loads with their unit. */
  readonly places: readonly string[];
  readonly charts: readonly LineChartData[];
}

/** The number of samples in each interval and range of times. */
export interface HeatMapData {
  readonly title: string;
  readonly note: string;
  /** The bounds of the rows in ms, ascending: one more than there are rows. */
  readonly boundsMs: readonly number[];
  /** The rows that have samples in each interval, with their counts. */
  readonly cells: readonly (readonly (readonly [row: number, count: number])[])[];
}

/** The distribution of a run as a curve. */
export interface PercentileData {
  readonly title: string;
  readonly note: string;
  /** From 0 to below 100. */
  readonly percentiles: readonly number[];
  readonly valuesMs: readonly number[];
  /** The bounds of the 95 % confidence interval; null if there are too few samples for one. */
  readonly lowMs: readonly (number | null)[];
  readonly highMs: readonly (number | null)[];
  /** The same percentiles of a base; null if there is no base. */
  readonly baseMs: readonly (number | null)[] | null;
}

/** One visit to a page: its exchanges over time. */
export interface WaterfallData {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  /** The time that the full width represents. */
  readonly spanMs: number;
  /** In chronological order. */
  readonly phases: readonly WaterfallPhase[];
  readonly rows: readonly WaterfallRow[];
}

/** A phase of an exchange. `color` is its index among the line colors. */
export interface WaterfallPhase {
  readonly label: string;
  readonly color: number;
}

/** An exchange of a visit. */
export interface WaterfallRow {
  readonly name: string;
  /** Method and URL. */
  readonly address: string;
  /** The id of its trace; null if it has none. */
  readonly trace: string | null;
  /** The status of the response, or the code of the error. */
  readonly status: string;
  readonly tone: Tone;
  readonly startMs: number;
  /** The duration of each phase. */
  readonly phasesMs: readonly number[];
  readonly totalMs: number;
  /** The bytes received. */
  readonly size: string;
}

/** A failed exchange. */
export interface ExampleData {
  readonly title: string;
  readonly summary: string;
  readonly message: string;
  /** Lines as on the wire. */
  readonly request: string;
  /** Empty if no response began. */
  readonly response: string;
  /** The curl command that sends the request again. */
  readonly command: string;
  /** The missing parts of the command and how to supply them, a sentence each. */
  readonly notes: readonly string[];
}

export interface ColumnData {
  readonly title: string;
  readonly isNumber: boolean;
}

export type CellData = Omit<Cell, "aside">;

export interface TableData {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  readonly columns: readonly ColumnData[];
  readonly rows: readonly TableRow[];
}

export interface TableRow {
  readonly cells: readonly CellData[];
  /** Lines below the row, such as an example of an error; empty for none. */
  readonly detail: string;
}

/** The result or comparison, for download. */
export interface DownloadData {
  readonly label: string;
  readonly fileName: string;
  /** Compressed with gzip, in base64. */
  readonly gzipped: string;
  /** Empty for the whole document; otherwise a sentence on what was left out to keep the page small. */
  readonly note: string;
}
