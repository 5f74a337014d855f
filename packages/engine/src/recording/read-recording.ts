import { open, stat } from "node:fs/promises";

import { InvalidInput } from "@bearhug/sdk";
import { z } from "@bearhug/sdk/internal";
import { tryJson } from "@bearhug/text/try-json";

import type { Damage, RecordedMoment, RecordedMoments } from "../outcome/run-record.ts";
import { readMembers } from "./gzip-members.ts";
import { momentSchema } from "./moment-schema.ts";
import { headSchema, type RecordingHead } from "./run-schema.ts";
import { SampleCounts } from "./sample-counts.ts";

/** An opened recording. */
export interface Recording {
  readonly head: RecordingHead;
  /** Throws InvalidInput if lines are missing or duplicate. */
  readonly moments: RecordedMoments;
}

const gzipMagic = Buffer.from([0x1f, 0x8b]);

/** Returns true if a file is gzip-compressed, as recordings are. Other files may be results. */
export async function isCompressed(path: string): Promise<boolean> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return isCompressedContent(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

/** Returns true for gzip-compressed content, or its first bytes. */
export function isCompressedContent(bytes: Buffer): boolean {
  return bytes.subarray(0, gzipMagic.length).equals(gzipMagic);
}

/** @throws {InvalidInput} for a file that does not begin like a recording */
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
  await lines.return(null);
  return first.done === true ? null : (readHeadLine(first.value) ?? null);
}

async function* readMoments(path: string): AsyncGenerator<RecordedMoment, Damage | null> {
  const lines = readLines(path);
  const counts = new SampleCounts();
  try {
    await lines.next();
    for (let number = 1; ; number++) {
      const line = await lines.next();
      if (line.done === true) return line.value === null ? null : await describeDamage(path, line.value);
      const value = tryJson(line.value);
      const moment = momentSchema.safeParse(value).data;
      // Later lines cannot be used, because they only hold what changed since this one.
      if (moment === undefined) return { where: `in line ${number + 1}` };
      const problem =
        describeMisplacedLine(number, numberedSchema.safeParse(value).data?.number) ?? counts.add(moment);
      if (problem !== null)
        throw new InvalidInput([`${path} is damaged: ${problem}. Copy it again from where it was recorded.`]);
      yield moment;
    }
  } finally {
    await lines.return(null);
  }
}

async function describeDamage(path: string, position: number): Promise<Damage> {
  const { size } = await stat(path);
  return { where: `at byte ${position} of ${size}` };
}

/** Recordings of earlier releases do not number their lines. */
const numberedSchema = z.object({ number: z.int().exactOptional() });

/** Describes a missing or duplicate line; null if the order is right. */
function describeMisplacedLine(expected: number, found: number | undefined): string | null {
  if (found === undefined || found === expected) return null;
  // Moments begin at line 2: the first line describes the run.
  return found < expected ? `its line ${found + 1} is there twice` : `its line ${expected + 1} is missing`;
}

/** Parses the first line of a recording; undefined if it is not one. */
export function readHeadLine(line: string): RecordingHead | undefined {
  return headSchema.safeParse(tryJson(line)).data;
}

/** Parses a later line of a recording; undefined if it is not one. */
export function readMomentLine(line: string): RecordedMoment | undefined {
  return momentSchema.safeParse(tryJson(line)).data;
}

/**
 * Reads complete lines, up to the end of the file or broken data: the process may have been killed while
 * writing. Returns the position of the first broken member; null if the file just ends.
 */
async function* readLines(path: string): AsyncGenerator<string, number | null, undefined> {
  const members = readMembers(path);
  let rest = "";
  try {
    for (;;) {
      const member = await members.next();
      if (member.done === true) return member.value;
      const [first = "", ...others] = member.value.content.toString("utf8").split("\n");
      rest += first;
      for (const other of others) {
        yield rest;
        rest = other;
      }
    }
  } finally {
    await members.return(null);
  }
}
