import { formatPlainStep } from "./format-plain-step.ts";
import { insertVisit, joinSource, type UnformattedSource, visitMark } from "./unformatted-source.ts";

/** Prettier's memory grows with the text: a larger one is formatted in chunks of this size. */
const chunkCharacters = 64_000;

type Format = (source: string) => Promise<string>;

/**
 * Source as prettier has it with the options that it has by itself. A large visit is formatted piece by piece: in 100,000
 * requests at once prettier takes most of a gigabyte.
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

/** Statements of the visit, as deep as they stand in a test. */
async function formatVisit(code: string, format: Format): Promise<string> {
  const marked = `${visitMark}\n\n${code}\n\n${visitMark}`;
  const formatted = await format(`a({\nb: {\nc: {\nd: async () => {\n${marked}\n},\n},\n},\n});\n`);
  const start = formatted.indexOf(indentedMark) + indentedMark.length;
  return formatted.slice(start, formatted.lastIndexOf(indentedMark)).replace(/^\n+|\n+$/g, "");
}

/** Prettier is loaded when it is needed: it is large. */
async function loadFormat(): Promise<Format> {
  const [{ format }, typescript, estree] = await Promise.all([
    import("prettier/standalone"),
    import("prettier/plugins/typescript"),
    import("prettier/plugins/estree"),
  ]);
  return (source) => format(source, { parser: "typescript", plugins: [typescript, estree.default] });
}
