export const feedOrders = ["sequential", "shuffled", "random"] as const;

/**
 * How rows are chosen: in the file's order, in an order shuffled once with the seed, or each at random (rows
 * may repeat).
 */
export type FeedOrder = (typeof feedOrders)[number];

export const feedRecipients = ["iteration", "vu"] as const;
export const feedEnds = ["wrap", "stop"] as const;

/** Options of every feed. */
export interface FeedOptions {
  /**
   * How rows are chosen: in the file's order, in an order that is shuffled once, or at random each time (rows
   * may repeat).
   * @default "sequential"
   */
  readonly order?: FeedOrder;
  /**
   * `"iteration"` gives each iteration of a scenario a row, by its number in that scenario. `"vu"` gives each
   * virtual user a row, by `vu.index`. @default "iteration"
   */
  readonly per?: (typeof feedRecipients)[number];
  /**
   * The action after the last row: `"wrap"` starts again with the first row, `"stop"` starts no more
   * iterations of the scenario. `"stop"` is for `per: "iteration"` only. @default "wrap"
   */
  readonly atEnd?: (typeof feedEnds)[number];
  /**
   * True to use each row at most once in a run. bearhug does not start the run if there may be too few rows;
   * with `atEnd: "stop"`, the scenario ends instead. @default false
   */
  readonly unique?: boolean;
  /**
   * The scenarios that use the feed. `unique` and `atEnd: "stop"` count their iterations or virtual users.
   * @default all
   */
  readonly scenarios?: readonly string[];
}

/** A file: a path relative to the test's file, or a URL such as `new URL("../users.csv", import.meta.url)`. */
export type FeedFile = string | { readonly href: string };

/** Options of {@link csv}. `Column`: the names of columns that rows have. */
export interface CsvOptions<Column extends string = string> extends FeedOptions {
  /**
   * Columns that the file must have. They type the rows; without a header line, they name the columns in
   * order.
   * @default the names in the header line
   */
  readonly columns?: readonly Column[];
  /** False for a file whose first line is a row; `columns` then names its columns. @default true */
  readonly header?: boolean;
  /** The separator between two fields. @default "," */
  readonly delimiter?: string;
}

/** Options of {@link json} and {@link ndjson}. */
export type JsonOptions = FeedOptions;

/** A validator of zod, valibot, ArkType and others, by the Standard Schema interface (https://standardschema.dev). */
export interface RowSchema<Row> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaVerdict<Row> | Promise<SchemaVerdict<Row>>;
    readonly types?: { readonly input: unknown; readonly output: Row } | undefined;
  };
}

/** The outcome of validating a value with a {@link RowSchema}: the row, or its problems. */
export type SchemaVerdict<Row> =
  | { readonly value: Row; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** One thing that is wrong with a value. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A schema that validates each row and types it. */
export interface WithSchema<Row> {
  /** Validates each row before the run starts, and types it. It may convert values: `z.coerce.number()`. */
  readonly schema: RowSchema<Row>;
}

/** Never set: carries the type of a feed's rows. */
declare const rowType: unique symbol;

/**
 * The source of a feed's rows and how they are distributed, as {@link csv}, {@link json}, {@link ndjson} and
 * {@link rows} return it.
 */
export interface Feed<Row = unknown> {
  readonly format: "csv" | "json" | "ndjson" | "rows";
  /** The file, or the rows themselves. */
  readonly from: FeedFile | readonly unknown[];
  readonly options: CsvOptions & Partial<WithSchema<unknown>>;
  readonly [rowType]?: Row;
}

/** A feed as a test declares it. A plain list is `rows(list)`. */
export type FeedDeclaration<Row = unknown> = Feed<Row> | readonly Row[];

/** The types of rows by the names of feeds. */
export type FeedTypes = Readonly<Record<string, unknown>>;

/** A feed as an iteration uses it. */
export interface FeedHandle<Row> {
  /** Returns the row of this iteration or virtual user: the same row for each call in one iteration. */
  readonly next: () => Row;
  /** All rows, in the file's order. */
  readonly rows: readonly Row[];
}

/** The test's feeds, by name. */
export type FeedHandles<F extends FeedTypes> = { readonly [Name in keyof F]: FeedHandle<F[Name]> };

/**
 * Declares a feed of the rows of a CSV file (RFC 4180), with the names in its header line as keys. Every
 * value is a string, unless a `schema` converts it. Throws nothing: problems with the file are reported
 * before the run starts.
 */
export function csv<Row>(file: FeedFile, options: CsvOptions & WithSchema<Row>): Feed<Row>;
export function csv<const Column extends string = string>(
  file: FeedFile,
  options?: CsvOptions<Column>,
): Feed<Readonly<Record<Column, string>>>;
export function csv(file: FeedFile, options: CsvOptions = {}): Feed {
  return { format: "csv", from: file, options };
}

/**
 * Declares a feed of the rows of a JSON file, which holds one array. Throws nothing: problems are reported
 * before the run.
 */
export function json<Row>(file: FeedFile, options: JsonOptions & WithSchema<Row>): Feed<Row>;
export function json<Row = unknown>(file: FeedFile, options?: JsonOptions): Feed<Row>;
export function json(file: FeedFile, options: JsonOptions = {}): Feed {
  return { format: "json", from: file, options };
}

/**
 * Declares a feed of the rows of a file with one JSON value per line. Throws nothing: problems are reported
 * before the run.
 */
export function ndjson<Row>(file: FeedFile, options: JsonOptions & WithSchema<Row>): Feed<Row>;
export function ndjson<Row = unknown>(file: FeedFile, options?: JsonOptions): Feed<Row>;
export function ndjson(file: FeedFile, options: JsonOptions = {}): Feed {
  return { format: "ndjson", from: file, options };
}

/**
 * Declares a feed of an array's rows, with options: `rows(products, { order: "random" })`. Without options,
 * use the array itself.
 */
export function rows<Row>(list: readonly unknown[], options: FeedOptions & WithSchema<Row>): Feed<Row>;
export function rows<Row>(list: readonly Row[], options?: FeedOptions): Feed<Row>;
export function rows(list: readonly unknown[], options: FeedOptions = {}): Feed {
  return { format: "rows", from: list, options };
}
