/**
 * A test before it is formatted: the visit in pieces, which can be formatted one by one, and the code around
 * them.
 */
export interface UnformattedSource {
  /** Has `visitMark` in the place of the visit. */
  readonly frame: string;
  /** Whole statements. A blank line separates two pieces. */
  readonly pieces: readonly string[];
}

/** A statement in the place of the visit. */
export const visitMark = "theVisitStandsHere();";

export function joinSource({ frame, pieces }: UnformattedSource): string {
  return insertVisit(frame, visitMark, pieces.join("\n\n"));
}

/** Inserts the visit at the last mark: names of a capture come before it, and may contain the same text. */
function insertVisit(frame: string, mark: string, visit: string): string {
  const at = frame.lastIndexOf(mark);
  return frame.slice(0, at) + visit + frame.slice(at + mark.length);
}

/** Prettier's memory grows with the text: a larger one is formatted in chunks of this size. */
const chunkCharacters = 64_000;

type Format = (source: string) => Promise<string>;

/**
 * Formats source with the default options of prettier. A large visit is formatted piece by piece: for 100,000
 * requests at once, prettier takes most of a gigabyte.
 */
export async function formatSource(
  source: UnformattedSource,
  mostAtOnce: number = chunkCharacters,
): Promise<string> {
  const format = await loadFormat();
  const whole = joinSource(source);
  if (whole.length <= mostAtOnce) return format(whole);
  const frame = await format(source.frame);
  return insertVisit(frame, indentedMark, await formatPieces(source.pieces, format, mostAtOnce));
}

async function formatPieces(pieces: readonly string[], format: Format, mostAtOnce: number): Promise<string> {
  const formatted: string[] = [];
  let waiting: string[] = [];
  let characters = 0;
  const formatWaiting = async (): Promise<void> => {
    if (waiting.length > 0) formatted.push(await formatVisit(waiting.join("\n\n"), format));
    waiting = [];
    characters = 0;
  };
  for (const piece of pieces) {
    const plain = formatPlainStep(piece);
    if (plain !== null || characters + piece.length > mostAtOnce) await formatWaiting();
    if (plain !== null) {
      formatted.push(plain);
      continue;
    }
    waiting.push(piece);
    characters += piece.length;
  }
  await formatWaiting();
  return formatted.join("\n\n");
}

const indentedMark = `        ${visitMark}`;

/** Formats statements of the visit, at their depth in a test. */
async function formatVisit(code: string, format: Format): Promise<string> {
  const marked = `${visitMark}\n\n${code}\n\n${visitMark}`;
  const formatted = await format(`a({\nb: {\nc: {\nd: async () => {\n${marked}\n},\n},\n},\n});\n`);
  const start = formatted.indexOf(indentedMark) + indentedMark.length;
  return formatted.slice(start, formatted.lastIndexOf(indentedMark)).replace(/^\n+|\n+$/g, "");
}

/** Loads prettier only when it is needed: it is large. */
async function loadFormat(): Promise<Format> {
  const [{ format }, typescript, estree] = await Promise.all([
    import("prettier/standalone"),
    import("prettier/plugins/typescript"),
    import("prettier/plugins/estree"),
  ]);
  return (source) => format(source, { parser: "typescript", plugins: [typescript, estree.default] });
}

/** Prettier's line length, and the indent of the visit in a test: in the function of a scenario. */
const lineLength = 80;
const outerIndent = 8;
const innerIndent = 10;

/** A text that prettier leaves as it is: nothing in it is escaped, and each character has one column. */
const text = '"[ !#-&(-[\\]-~]*"';
const opening = new RegExp(`^await (?:page|group)\\(${text}, async \\(\\) => \\{$`);
const request = `await http\\.\\w+\\(${text}\\)`;
const status = "statusIs\\(\\d+(?:, \\d+)*\\)";
const statement = new RegExp(`^(?:${request}|check\\(${request}, ${status}\\)|await sleep\\(${text}\\));$`);
const twoChecks = new RegExp(
  `^(check\\(${request}, \\{) (\\.\\.\\.${status},) (\\.\\.\\.is\\w+\\(\\)) (\\}\\);)$`,
);
const thinkStatement = new RegExp(`^await think\\(${text}\\);$`);

/**
 * Formats a step of the plainest requests as prettier would, but without prettier, which takes a millisecond
 * for each request; null if a line is not of the few kinds whose format is known. A capture of many small
 * entries consists of such steps.
 */
export function formatPlainStep(code: string): string | null {
  const [first = "", ...lines] = code.split("\n");
  const end = lines.indexOf("});");
  const rest = lines.slice(end + 1);
  if (end < 0 || !isPlain(first, opening, outerIndent) || !isThinkLine(rest)) return null;
  const inner = indentStatements(lines.slice(0, end));
  if (inner === null) return null;
  return [
    indent(first, outerIndent),
    ...inner,
    ...["});", ...rest].map((line) => indent(line, outerIndent)),
  ].join("\n");
}

/** Indents statements, with at most one blank line between two and none at the edges. */
function indentStatements(lines: readonly string[]): string[] | null {
  const written: string[] = [];
  let isApart = false;
  for (const line of lines) {
    if (line === "") {
      isApart = written.length > 0;
      continue;
    }
    const formatted = isPlain(line, statement, innerIndent) ? [line] : formatTwoChecks(line);
    if (formatted === null) return null;
    if (isApart) written.push("");
    written.push(...formatted.map((one) => indent(one, innerIndent)));
    isApart = false;
  }
  return written.length === 0 ? null : written;
}

/** Formats a check of a status and a type, on one line or with a line for each. */
function formatTwoChecks(line: string): string[] | null {
  if (isPlain(line, twoChecks, innerIndent)) return [line];
  const [, call = "", first = "", second = "", closing = ""] = twoChecks.exec(line) ?? [];
  if (call === "" || call.length + innerIndent > lineLength) return null;
  return [call, `  ${first}`, `  ${second},`, closing];
}

function isThinkLine(rest: readonly string[]): boolean {
  const [blank, line = "", ...others] = rest;
  if (blank === undefined) return true;
  return blank === "" && others.length === 0 && isPlain(line, thinkStatement, outerIndent);
}

function isPlain(line: string, kind: RegExp, columns: number): boolean {
  return line.length + columns <= lineLength && kind.test(line);
}

function indent(line: string, columns: number): string {
  return line === "" ? "" : " ".repeat(columns) + line;
}
