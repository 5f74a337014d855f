import { isRecord } from "@bearhug/sdk/internal";
import { showValue } from "@bearhug/text/describe-issue";

/** A test's own summary, with all of its parts. */
export interface ValidatedSummary {
  /** Null for the default summary. */
  readonly stdout: string | null;
  readonly files: Readonly<Record<string, string>>;
}

/** Validates the value that a test's `summary` returned. @throws {TypeError} if it is not a summary */
export function readSummary(value: unknown): ValidatedSummary {
  if (typeof value === "string") return { stdout: value, files: {} };
  if (!isRecord(value)) {
    const returned = value === undefined ? "nothing" : showValue(value);
    throw new TypeError(`summary must return a string or { stdout, files }, but returned ${returned}`);
  }
  const unknown = Object.keys(value).find((key) => key !== "stdout" && key !== "files");
  if (unknown !== undefined) throw new TypeError(`summary returned ${unknown}, but takes stdout and files`);
  const { stdout = null, files = {} } = value;
  if (stdout !== null && typeof stdout !== "string") throw wrong("stdout", "a string", stdout);
  if (!isRecord(files)) throw wrong("files", "an object that maps paths to strings", files);
  const read = Object.entries(files).map(([path, content]) => {
    if (typeof content !== "string") throw wrong(`files[${JSON.stringify(path)}]`, "a string", content);
    return [path, content] as const;
  });
  return { stdout, files: Object.fromEntries(read) };
}

function wrong(what: string, wanted: string, value: unknown): TypeError {
  return new TypeError(`${what} must be ${wanted}, but is ${showValue(value)}`);
}
