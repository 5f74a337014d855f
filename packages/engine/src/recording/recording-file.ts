import { createReadStream } from "node:fs";
import { mkdir, open, rm, stat, type FileHandle } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

import { errorCode, errorMessage } from "@bearhug/text/caught-error";

import type { RecordedMoment, RecordedRun, RunRecorder } from "../outcome/run-record.ts";
import { recordingName } from "./folder.ts";
import { formatMomentLine, formatHeadLine } from "./lines.ts";

/** The fastest level: the usual one takes several times as long, for files that are a fifth smaller. */
const compress = (text: string): Promise<Buffer> => promisify(gzip)(text, { level: 1 });

/** The most waiting lines, one a second: a slower disk will not catch up, and waiting lines take memory. */
const maxWaiting = 30;

/**
 * The most bytes of a recording: hours of the largest runs, and days of others. An endless run must not fill
 * the disk.
 */
const maxBytes = 2 ** 30;

/**
 * Records a run on disk: lines of JSON, each a separate gzip member, appended in order. Consecutive members
 * are a valid gzip file, and if it is cut short, all lines except the last can be read.
 */
export class RecordingFile implements RunRecorder {
  readonly #folder: string;
  readonly #warn: (text: string) => void;
  readonly #onLine: () => void;
  /** The end of each line in the file. */
  readonly #ends: number[] = [];
  #path: string | null = null;
  #file: FileHandle | null = null;
  #written: Promise<void> = Promise.resolve();
  #waiting = 0;
  #moments = 0;
  #bytes = 0;
  #hasFailed = false;

  /**
   * @param warn receives a sentence, once, if the run cannot be recorded
   * @param onLine is called when another line is on disk
   */
  constructor(folder: string, warn: (text: string) => void, onLine: () => void = () => undefined) {
    this.#folder = folder;
    this.#warn = warn;
    this.#onLine = onLine;
  }

  begin(run: RecordedRun): void {
    this.#enqueue(async () => {
      const path = join(this.#folder, recordingName(run.beganAt, process.pid, run.fingerprint));
      await makeFolder(this.#folder);
      // Readable only by the user, because it contains addresses and errors of the target.
      this.#file = await open(path, "ax", 0o600);
      this.#path = path;
      await this.#append(formatHeadLine(run, { pid: process.pid, host: hostname() }));
    });
  }

  add(moment: RecordedMoment): void {
    const number = ++this.#moments;
    this.#enqueue(() => this.#append(formatMomentLine(moment, number)));
  }

  /**
   * Resolves to the recording's path once everything is written; null if the run could not be recorded to its
   * end.
   */
  async close(): Promise<string | null> {
    await this.#written;
    await this.#file?.close().catch(() => undefined);
    this.#file = null;
    return this.#hasFailed ? null : this.#path;
  }

  /** Returns the bytes of the recording. @throws {Error} if the run could not be recorded to its end */
  async read(): Promise<AsyncIterable<Uint8Array>> {
    const path = await this.close();
    if (path === null) throw new Error("the run could not be recorded to its end");
    return createReadStream(path);
  }

  /** Reads a line from disk, still compressed; 0 is the first. */
  async readLine(number: number): Promise<Buffer> {
    const [start = 0, end = 0] = [this.#ends[number - 1], this.#ends[number]];
    const file = await open(this.#path ?? "", "r");
    try {
      const member = Buffer.alloc(end - start);
      await file.read(member, 0, member.length, start);
      return member;
    } finally {
      await file.close();
    }
  }

  /** Removes the recording, when the run is reported in another way. */
  async remove(): Promise<void> {
    await this.close();
    if (this.#path !== null) await rm(this.#path, { force: true }).catch(() => undefined);
  }

  #enqueue(write: () => Promise<void>): void {
    if (this.#hasFailed) return;
    if (this.#waiting >= maxWaiting) {
      this.#fail("the disk cannot keep up");
      return;
    }
    this.#waiting++;
    this.#written = this.#written.then(async () => {
      try {
        if (!this.#hasFailed) await write();
      } catch (error) {
        this.#fail(errorMessage(error));
      }
      this.#waiting--;
    });
  }

  async #append(line: string): Promise<void> {
    const member = await compress(line);
    this.#bytes += member.length;
    if (this.#bytes > maxBytes) throw new Error("its recording has reached 1 GiB");
    await this.#file?.appendFile(member);
    this.#ends.push(this.#bytes);
    this.#onLine();
  }

  #fail(reason: string): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#warn(`this run continues, but if it is killed, its results from now on are lost: ${reason}`);
  }
}

/**
 * Creates a folder and its parents. Not with `recursive` of mkdir, which never returns where no folder can be
 * created (/proc).
 */
async function makeFolder(path: string): Promise<void> {
  const isThere = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isThere || dirname(path) === path) return;
  await makeFolder(dirname(path));
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if (errorCode(error) !== "EEXIST") throw error;
  });
}
