import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { constants, createGunzip } from "node:zlib";

import type { z } from "zod";

import { InvalidInput } from "../invalid-input.ts";
import type { RecordedMoment } from "../protocol/recording.ts";
import { momentSchema } from "./moment-schema.ts";
import { headSchema, type RecordingHead } from "./run-schema.ts";

/** A recording that is being read. */
export interface Recording {
  readonly head: RecordingHead;
  /** As they were written, up to where the file ends or is broken. */
  readonly moments: AsyncIterable<RecordedMoment>;
}

const gzipMagic = Buffer.from([0x1f, 0x8b]);

/** Whether a file is compressed, as a recording is; anything else may be a result. */
export async function isCompressed(path: string): Promise<boolean> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer.equals(gzipMagic);
  } finally {
    await file.close();
  }
}

/** @throws {InvalidInput} for a file that does not begin as a recording does */
export async function readRecording(path: string): Promise<Recording> {
  const lines = readLines(path);
  const first = await lines.next();
  const head = first.done === true ? undefined : parse(headSchema, first.value);
  if (head === undefined) {
    await lines.return(undefined);
    throw new InvalidInput([`${path} is neither a result nor the recording of a run by this version.`]);
  }
  return { head, moments: readMoments(lines) };
}

/** What a recording begins with; null for a file that is none. */
export async function readHead(path: string): Promise<RecordingHead | null> {
  const lines = readLines(path);
  const first = await lines.next();
  await lines.return(undefined);
  return first.done === true ? null : (parse(headSchema, first.value) ?? null);
}

async function* readMoments(lines: AsyncIterable<string>): AsyncGenerator<RecordedMoment> {
  for await (const line of lines) {
    const moment = parse(momentSchema, line);
    // What follows a line that is broken builds on it.
    if (moment === undefined) return;
    yield moment;
  }
}

function parse<Value>(schema: z.ZodType<Value>, line: string): Value | undefined {
  try {
    return schema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** Longer than a second of the widest run; what says more is no recording, and would fill the memory. */
const longestLine = 2 ** 27;

/** Whole lines, up to where the file ends or is broken: the process may have been killed while it wrote. */
async function* readLines(path: string): AsyncGenerator<string, void, undefined> {
  // In small pieces: of one that is broken, everything is lost.
  const file = createReadStream(path, { highWaterMark: 4096 });
  const text = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 2 ** 18 });
  file.on("error", (error) => text.destroy(error));
  file.pipe(text).setEncoding("utf8");
  let rest = "";
  try {
    for await (const chunk of text as AsyncIterable<string>) {
      const [first = "", ...others] = chunk.split("\n");
      rest += first;
      for (const other of others) {
        yield rest;
        rest = other;
      }
      if (rest.length > longestLine) return;
    }
  } catch (error) {
    if (!isBroken(error)) throw error;
  } finally {
    file.destroy();
    text.destroy();
  }
}

function isBroken(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("Z_");
}
