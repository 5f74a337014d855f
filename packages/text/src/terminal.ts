import { styleText } from "node:util";

/** The capabilities of an output. */
export interface Appearance {
  readonly colors: boolean;
  /** In columns. */
  readonly width: number;
  /** True if it can show more than ASCII. */
  readonly unicode: boolean;
}

export interface Terminal extends Appearance {
  /** True if later output can replace earlier output. */
  readonly isLive: boolean;
  /** In lines. */
  readonly height: number;
}

/** The properties of a stream that are used. `process.stdout` and `process.stderr` have them. */
export interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The size of a terminal that does not know its own, and says 0, as in a container or in CI. */
const defaultSize = { columns: 80, rows: 24 };
const minWidth = 40;
/** Wider tables are harder to read, not easier. */
const maxWidth = 120;

/** Describes one stream: stdout may be a file while stderr is a terminal. */
export function describeTerminal(stream: OutputStream, environment: Environment = process.env): Terminal {
  const { columns, rows } = sizeOf(stream);
  return {
    colors: hasColors(stream, environment),
    width: Math.min(maxWidth, Math.max(minWidth, columns)),
    unicode: hasUnicode(environment),
    // Only the terminal knows how many lines a frame takes in it.
    isLive: isTerminal(stream, environment) && stream.columns !== 0,
    height: rows,
  };
}

/** Returns the size of a stream, or a default for one that is unknown. */
export function sizeOf({ columns = 0, rows = 0 }: OutputStream): { columns: number; rows: number } {
  return {
    columns: columns === 0 ? defaultSize.columns : columns,
    rows: rows === 0 ? defaultSize.rows : rows,
  };
}

function isTerminal(stream: OutputStream, environment: Environment): boolean {
  return stream.isTTY === true && environment["TERM"] !== "dumb";
}

/**
 * True if the output has colours: by https://no-color.org and https://force-color.org; otherwise only
 * terminals have them.
 */
function hasColors(stream: OutputStream, environment: Environment): boolean {
  if (environment["NO_COLOR"]) return false;
  const forced = environment["FORCE_COLOR"];
  if (forced !== undefined && forced !== "") return forced !== "0" && forced !== "false";
  return isTerminal(stream, environment);
}

/**
 * True if the output can show Unicode: by the locale if one is set. Without one (containers, Windows),
 * terminals read UTF-8.
 */
function hasUnicode(environment: Environment): boolean {
  if (environment["TERM"] === "dumb" || environment["TERM"] === "linux") return false;
  const locale = ["LC_ALL", "LC_CTYPE", "LANG"].map((name) => environment[name]).find((value) => value);
  return locale === undefined || /utf-?8/i.test(locale);
}

type Paint = (text: string) => string;

/** The few colours that reports use, each for one meaning; if disabled, they leave the text unchanged. */
export interface Palette {
  readonly good: Paint;
  readonly bad: Paint;
  readonly warning: Paint;
  /** Leaves the text unchanged. */
  readonly plain: Paint;
  readonly strong: Paint;
  readonly faint: Paint;
  /** For progress bars and sparklines. */
  readonly accent: Paint;
}

export function createPalette(enabled: boolean): Palette {
  // `hasColors` has checked the stream already.
  const paint =
    (format: Parameters<typeof styleText>[0]): Paint =>
    (text) =>
      enabled ? styleText(format, text, { validateStream: false }) : text;
  return {
    good: paint("green"),
    bad: paint("red"),
    warning: paint("yellow"),
    plain: (text) => text,
    strong: paint("bold"),
    faint: paint("dim"),
    accent: paint("cyan"),
  };
}
