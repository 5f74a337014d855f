import { CaptureError } from "../capture-error.ts";
import type { Finding } from "../capture.ts";
import { keepCompleteEntries } from "./keep-complete-entries.ts";

/** A script's call around the JSON, as some servers write it: `onInputData({…});`. */
const callStart = /^\s*[A-Za-z_$][\w$.]*\s*\(/;
const callEnd = /\)\s*;?\s*$/;

export interface ParsedFile {
  readonly value: unknown;
  readonly findings: readonly Finding[];
}

/** JSON, perhaps in a call, perhaps cut short: then the complete entries, and a finding that says where it ends. */
export function parseJson(source: string): ParsedFile {
  const text = unwrapCall(source);
  if (text.trim() === "") throw new CaptureError("The capture is empty.");
  try {
    return { value: JSON.parse(text), findings: [] };
  } catch (error) {
    return parseBrokenJson(text, error);
  }
}

function unwrapCall(source: string): string {
  const start = callStart.exec(source);
  return start === null ? source : source.slice(start[0].length).replace(callEnd, "");
}

function parseBrokenJson(text: string, cause: unknown): ParsedFile {
  const kept = keepCompleteEntries(text);
  if (kept === null) throw new CaptureError(`The capture is not JSON: ${describePosition(text, cause)}.`);
  try {
    const problem = `the file is cut short at character ${text.length}: the entries before this one were read`;
    return { value: JSON.parse(kept.text), findings: [{ path: `$.log.entries[${kept.count}]`, problem }] };
  } catch {
    throw new CaptureError(`The capture is not JSON: ${describePosition(text, cause)}.`);
  }
}

/** The engine's own message quotes the file, which may hold secrets; only its position is used. */
function describePosition(text: string, cause: unknown): string {
  const position = cause instanceof Error ? /position (\d+)/.exec(cause.message)?.[1] : undefined;
  const offset = position === undefined ? text.length : Number(position);
  if (offset >= text.length) {
    return `it ends at character ${text.length}, before its first entry is complete`;
  }
  const before = text.slice(0, offset).split("\n");
  return `it breaks at line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
}
