import { readFileSync } from "node:fs";

import { readByteCount } from "@bearhug/plan/test-file/quantities";
import { readStandardInput, standardInput } from "@bearhug/plan/test-file/standard-input";
import { InvalidInput } from "@bearhug/sdk";
import { errorCode } from "@bearhug/text/caught-error";

/** The flags of `bearhug <url>` that set the request body; at most one may be given. */
export interface BodyFlags {
  /** Text, or `@` and the path of a file. For this and `bodyFile`, the path `-` is standard input. */
  readonly body?: string;
  readonly bodyFile?: string;
  readonly bodySize?: string;
}

/** The largest generated body: each worker holds one in memory. */
const maxGeneratedBytes = 1e9;

/** Reads the body of every request; null if there is none. */
export function readBody(
  { body, bodyFile, bodySize }: BodyFlags,
  problems: string[],
): string | Uint8Array | null {
  const values = { "-b": body, "-p": bodyFile, "--body-size": bodySize };
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  if (given.length > 1) {
    const flags = given.map(([flag]) => flag).join(", ");
    problems.push(`${flags}: each sets the body of the requests. Keep one of them.`);
  }
  if (bodyFile !== undefined) return readBodyFile(`-p ${bodyFile}`, bodyFile, problems);
  if (body?.startsWith("@") === true) return readBodyFile(`-b ${body}`, body.slice(1), problems);
  if (bodySize === undefined) return body ?? null;
  const bytes = readByteCount("--body-size", bodySize, maxGeneratedBytes, problems);
  return bytes === null ? null : "a".repeat(bytes);
}

function readBodyFile(flag: string, path: string, problems: string[]): Uint8Array | null {
  try {
    return new Uint8Array(path === standardInput ? readStandardInput() : readFileSync(path));
  } catch (error) {
    if (error instanceof InvalidInput) {
      problems.push(...error.problems);
      return null;
    }
    const code = errorCode(error) ?? String(error);
    problems.push(
      code === "ENOENT" ? `${flag}: there is no file ${path}.` : `${flag}: cannot be read (${code}).`,
    );
    return null;
  }
}
