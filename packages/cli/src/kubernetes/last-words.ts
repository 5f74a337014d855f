import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";

/** Marks a line of last words among all other lines of a log. */
const mark = "#bearhug";
const lineLength = 4000;

/** The content that last words carry. */
export type WordsKind = "recording" | "result";

export interface LastWords {
  readonly kind: WordsKind;
  readonly content: Buffer;
}

/** The last lines of a pod's log: the content, compressed, in lines that no log splits, with its checksum. */
export function writeLastWords({ kind, content }: LastWords): string {
  const packed = gzipSync(content, { level: 9 });
  const text = packed.toString("base64");
  const lines = text.match(new RegExp(`.{1,${lineLength}}`, "g")) ?? [];
  return [
    `${mark} begin ${kind} ${lines.length}`,
    ...lines.map((line) => `${mark} ${line}`),
    `${mark} end ${sha256(packed)}`,
  ]
    .map((line) => `${line}\n`)
    .join("");
}

/** The last line of a log that has no room for the content. */
export function writeTooLarge(bytes: number): string {
  return `${mark} too-large ${bytes}\n`;
}

export type ReadWords =
  | { readonly state: "absent" }
  /** They would have taken so much of the log. */
  | { readonly state: "too-large"; readonly bytes: number }
  /** A log was rotated or ended in the midst of them. */
  | { readonly state: "broken" }
  | ({ readonly state: "whole" } & LastWords);

/** Finds the last words in a log. */
export function readLastWords(log: string): ReadWords {
  const lines = log
    .split("\n")
    .filter(isOfLastWords)
    .map((line) => line.slice(mark.length + 1));
  if (lines.length === 0) return { state: "absent" };
  const [, tooLarge] = /^too-large (\d{1,15})$/.exec(lines.at(-1) ?? "") ?? [];
  if (tooLarge !== undefined) return { state: "too-large", bytes: Number(tooLarge) };
  const start = lines.findLastIndex((line) => line.startsWith("begin "));
  const [, kind, count] = lines[start]?.split(" ") ?? [];
  const body = lines.slice(start + 1, -1);
  const [word, checksum] = lines.at(-1)?.split(" ") ?? [];
  const packed = Buffer.from(body.join(""), "base64");
  const isWhole = word === "end" && String(body.length) === count && sha256(packed) === checksum;
  if (!isWhole || (kind !== "recording" && kind !== "result")) return { state: "broken" };
  return { state: "whole", kind, content: gunzipSync(packed) };
}

/** True for a line of a log that is not for people. */
export function isOfLastWords(line: string): boolean {
  return line.startsWith(`${mark} `);
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
