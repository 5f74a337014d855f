import { readSync } from "node:fs";
import { isatty } from "node:tty";

import { InvalidInput } from "@bearhug/sdk";
import { errorCode } from "@bearhug/text/caught-error";

import { systemClock } from "../pacing/clock.ts";

/** The file name that stands for standard input, as in curl and cat. */
export const standardInput = "-";

/** The name of a test from standard input, in messages and reports. */
export const standardInputName = "stdin";

const chunkBytes = 64 * 1024;
/** Delay before reading again: another program may have made standard input non-blocking. */
const retryMs = 10;

let content: Buffer | null = null;

/** Returns the problem with reading standard input; null if it can be read. */
export function standardInputProblem(): string | null {
  return isatty(0)
    ? `${standardInput}: standard input is a terminal. Pipe something into it, or name a file.`
    : null;
}

/** Reads standard input to its end, once; later calls return the same. @throws {InvalidInput} */
export function readStandardInput(): Buffer {
  const problem = standardInputProblem();
  if (problem !== null) throw new InvalidInput([problem]);
  return (content ??= readToEnd());
}

function readToEnd(): Buffer {
  const chunks: Buffer[] = [];
  const chunk = Buffer.alloc(chunkBytes);
  for (;;) {
    try {
      const bytes = readSync(0, chunk, 0, chunkBytes, null);
      if (bytes === 0) return Buffer.concat(chunks);
      chunks.push(Buffer.from(chunk.subarray(0, bytes)));
    } catch (error) {
      const code = errorCode(error) ?? String(error);
      // The end of a pipe on Windows.
      if (code === "EOF") return Buffer.concat(chunks);
      if (code !== "EAGAIN")
        throw new InvalidInput([`${standardInput}: standard input cannot be read (${code}).`], {
          cause: error,
        });
      systemClock.nap(retryMs);
    }
  }
}
