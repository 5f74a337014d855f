import { createReadStream } from "node:fs";
import { mkdir, open, rm, stat, type FileHandle } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

import type { RecordedMoment, RecordedRun, RunRecorder } from "../outcome/run-record.ts";
import { recordingName } from "./folder.ts";
import { lineOfMoment, lineOfRun } from "./lines.ts";

const compress = (text: string): Promise<Buffer> => promisify(gzip)(text);

/** A disk that is so many seconds behind will not catch up, and what waits for it lies in memory. */
const mostWaiting = 30;

/** Hours of the widest runs, and days of others; a run without an end must not fill the disk. */
const mostBytes = 2 ** 30;

/**
 * A run on the disk: lines of JSON, each a gzip member of its own, appended in order. Members in a row are a valid gzip
 * file, and of one that was cut short all but the last line can be read.
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
   * @param warn is given one sentence, once, where the run cannot be recorded
   * @param onLine is called when one more line is on the disk
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
      // Readable by the user alone: addresses and errors of the target stand in it.
      this.#file = await open(path, "ax", 0o600);
      this.#path = path;
      await this.#append(lineOfRun(run, { pid: process.pid, host: hostname() }));
    });
  }

  add(moment: RecordedMoment): void {
    const number = ++this.#moments;
    this.#enqueue(() => this.#append(lineOfMoment(moment, number)));
  }

  /** Resolves to the recording's path once all is written; null if the run could not be recorded to the end. */
  async close(): Promise<string | null> {
    await this.#written;
    await this.#file?.close().catch(() => undefined);
    this.#file = null;
    return this.#hasFailed ? null : this.#path;
  }

  /** All that was recorded. @throws where the run could not be recorded to its end */
  async read(): Promise<AsyncIterable<Uint8Array>> {
    const path = await this.close();
    if (path === null) throw new Error("the run could not be recorded to its end");
    return createReadStream(path);
  }

  /** A line that is on the disk, compressed; 0 is the first. */
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

  /** The run is told elsewhere. */
  async remove(): Promise<void> {
    await this.close();
    if (this.#path !== null) await rm(this.#path, { force: true }).catch(() => undefined);
  }

  #enqueue(write: () => Promise<void>): void {
    if (this.#hasFailed) return;
    if (this.#waiting >= mostWaiting) {
      this.#fail("the disk cannot keep up");
      return;
    }
    this.#waiting++;
    this.#written = this.#written.then(async () => {
      try {
        if (!this.#hasFailed) await write();
      } catch (error) {
        this.#fail(error instanceof Error ? error.message : String(error));
      }
      this.#waiting--;
    });
  }

  async #append(line: string): Promise<void> {
    const member = await compress(line);
    this.#bytes += member.length;
    if (this.#bytes > mostBytes) throw new Error("its recording has reached 1 GiB");
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

/** One by one: mkdir's own `recursive` tries for ever where a folder can hold no other, as in /proc. */
async function makeFolder(path: string): Promise<void> {
  const isThere = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isThere || dirname(path) === path) return;
  await makeFolder(dirname(path));
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  });
}
