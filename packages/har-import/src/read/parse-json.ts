import { CaptureError } from "../capture-error.ts";
import type { Finding } from "../capture.ts";
import { findEntries } from "./find-entries.ts";

/** A script's call around the JSON, as some servers write it: `onInputData({…});`. */
const callStart = /^\s*[A-Za-z_$][\w$.]*\s*\(/;

/** Closes what is open between two entries: the list, the log, the file. */
const closing = "]}}";

export interface ParsedFile {
  readonly value: unknown;
  readonly findings: readonly Finding[];
}

/** JSON, perhaps in a call, perhaps cut short: then the complete entries, and a finding that says where it ends. */
export function parseJson(source: string): ParsedFile {
  const text = unwrapCall(source);
  if (text.trim() === "") throw new CaptureError("The capture is empty.");
  const value = tryParse(text);
  return value === undefined ? parseBeginning(text) : { value, findings: [] };
}

function unwrapCall(source: string): string {
  const start = callStart.exec(source);
  if (start === null) return source;
  const call = withoutEnd(source.slice(start[0].length), ";");
  return withoutEnd(call, ")");
}

function withoutEnd(text: string, end: string): string {
  const trimmed = text.trimEnd();
  return trimmed.endsWith(end) ? trimmed.slice(0, -end.length) : trimmed;
}

/** undefined when the text is not JSON. The engine's own words are of no use: they quote the file, which has secrets. */
function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The longest beginning of the file that is JSON when it is closed behind an entry. */
function parseBeginning(text: string): ParsedFile {
  const { ends, isCut } = findEntries(text);
  let value: unknown;
  let count = 0;
  let tooMany = ends.length + 1;
  while (count + 1 < tooMany) {
    const tried = Math.floor((count + tooMany) / 2);
    const parsed = tryParse(text.slice(0, ends[tried - 1]) + closing);
    if (parsed === undefined) tooMany = tried;
    else [value, count] = [parsed, tried];
  }

  const isOnlyCut = isCut && count === ends.length;
  const where = isOnlyCut ? `is cut short at character ${text.length}` : "is no JSON from here on";
  if (count === 0) {
    throw new CaptureError(
      isOnlyCut
        ? `The capture ${where}, before its first entry is complete.`
        : "The capture is not JSON, or breaks before its first entry is complete.",
    );
  }
  const problem = `the file ${where}: only the entries before were read`;
  return { value, findings: [{ path: `$.log.entries[${count}]`, problem }] };
}
