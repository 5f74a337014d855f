import { hash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";

import { asLines } from "@bearhug/text/as-lines";

/** Marks the lines of a payload in a log. */
const mark = "#bearhug";
const lineLength = 4000;

/** The kind of content in a payload. */
export type LogPayloadKind = "recording" | "result";

export interface LogPayload {
  readonly kind: LogPayloadKind;
  readonly content: Buffer;
}

/**
 * Writes the last lines of a pod's log: the compressed content with its checksum, in lines short enough that
 * log drivers do not split them.
 */
export function writeLogPayload({ kind, content }: LogPayload): string {
  const packed = gzipSync(content, { level: 9 });
  const text = packed.toString("base64");
  const lines = text.match(new RegExp(`.{1,${lineLength}}`, "g")) ?? [];
  return asLines([
    `${mark} begin ${kind} ${lines.length}`,
    ...lines.map((line) => `${mark} ${line}`),
    `${mark} end ${sha256(packed)}`,
  ]);
}

/** Writes the last line of a log if the content is too large for it. */
export function writeTooLarge(bytes: number): string {
  return `${mark} too-large ${bytes}\n`;
}

export type FoundLogPayload =
  | { readonly state: "absent" }
  /** The content was too large; `bytes` is its size in the log. */
  | { readonly state: "too-large"; readonly bytes: number }
  /** The log was rotated or ended in the middle of the content. */
  | { readonly state: "broken" }
  | ({ readonly state: "whole" } & LogPayload);

export function findLogPayload(log: string): FoundLogPayload {
  const lines = log
    .split("\n")
    .filter(isOfPayload)
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

/** True for a line of a payload, which is not meant for users. */
export function isOfPayload(line: string): boolean {
  return line.startsWith(`${mark} `);
}

function sha256(bytes: Buffer): string {
  return hash("sha256", bytes);
}
