import { open } from "node:fs/promises";

import type { z } from "zod";

import { InvalidInput } from "../invalid-input.ts";
import type { RecordedMoment } from "../outcome/run-record.ts";
import { readMembers } from "./gzip-members.ts";
import { momentSchema } from "./moment-schema.ts";
import { headSchema, type RecordingHead } from "./run-schema.ts";

/** A recording that is being read. */
export interface Recording {
  readonly head: RecordingHead;
  /** As they were written, up to where the file ends or is broken. */
  readonly moments: AsyncIterable<RecordedMoment>;
}

const gzipMagic = Buffer.from([0x1f, 0x8b]);

/** Returns true if a file is compressed, as recordings are. Any other file may be a result. */
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
  const head = await readHead(path);
  if (head === null)
    throw new InvalidInput([`${path} is neither a result nor a recording made by this version.`]);
  return { head, moments: readMoments(path) };
}

/** Reads the first line of a recording; null for any other file. */
export async function readHead(path: string): Promise<RecordingHead | null> {
  const lines = readLines(path);
  const first = await lines.next();
  await lines.return(undefined);
  return first.done === true ? null : (readHeadLine(first.value) ?? null);
}

async function* readMoments(path: string): AsyncGenerator<RecordedMoment> {
  let isHead = true;
  for await (const line of readLines(path)) {
    if (isHead) {
      isHead = false;
      continue;
    }
    const moment = readMomentLine(line);
    // What follows a line that is broken builds on it.
    if (moment === undefined) return;
    yield moment;
  }
}

/** The first line of a recording; undefined for any other. */
export function readHeadLine(line: string): RecordingHead | undefined {
  return parse(headSchema, line);
}

/** A later line of a recording; undefined for any other. */
export function readMomentLine(line: string): RecordedMoment | undefined {
  return parse(momentSchema, line);
}

function parse<Value>(schema: z.ZodType<Value>, line: string): Value | undefined {
  try {
    return schema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** Whole lines, up to where the file ends or is broken: the process may have been killed while it wrote. */
async function* readLines(path: string): AsyncGenerator<string, void, undefined> {
  let rest = "";
  for await (const member of readMembers(path)) {
    const [first = "", ...others] = member.content.toString("utf8").split("\n");
    rest += first;
    for (const other of others) {
      yield rest;
      rest = other;
    }
  }
}
