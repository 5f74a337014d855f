import { existsSync } from "node:fs";
import { open, rm, truncate, type FileHandle } from "node:fs/promises";

import type { RecordedMoment, RecordedRun } from "@bearhug/engine/outcome/run-record";
import { readMember, readMembers } from "@bearhug/engine/recording/gzip-members";
import { readHeadLine, readMomentLine } from "@bearhug/engine/recording/read-recording";
import { InvalidInput } from "@bearhug/sdk";

import type { PostedRecord } from "../wire/messages.ts";
import { Inbox } from "../wire/records.ts";

export type AppliedRecord =
  | { readonly kind: "head"; readonly run: RecordedRun }
  | { readonly kind: "moment"; readonly moment: RecordedMoment };

/**
 * The recording of one agent in the coordinator's folder. A record counts as applied if, and only if, it is
 * in this file.
 */
export class PartFile {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #inbox: Inbox;
  /** Settles when the latest record is applied or rejected. */
  #settled: Promise<unknown> = Promise.resolve();

  private constructor(path: string, file: FileHandle, applied: number) {
    this.#path = path;
    this.#file = file;
    this.#inbox = new Inbox(applied);
  }

  /**
   * Opens a part, and passes its existing records to `replay`. A record that was cut short when the process
   * died is removed.
   */
  static async open(path: string, replay: (record: AppliedRecord) => void): Promise<PartFile> {
    let [applied, bytes] = [0, 0];
    if (existsSync(path)) {
      for await (const { content, length } of readMembers(path)) {
        const record = readRecord(applied, content);
        if (record === null) break;
        replay(record);
        applied++;
        bytes += length;
      }
      await truncate(path, bytes);
    }
    return new PartFile(path, await open(path, "a", 0o600), applied);
  }

  /** The number of applied records. */
  get applied(): number {
    return this.#inbox.applied;
  }

  /**
   * Applies a record after all earlier ones: an agent that has just reconnected may send a record again that
   * is still being written. Returns null for a record that is already applied, or out of order.
   * @throws {InvalidInput} for a corrupt record
   */
  apply(posted: PostedRecord): Promise<AppliedRecord | null> {
    const applied = this.#settled.then(() => this.#apply(posted));
    this.#settled = applied.catch(() => undefined);
    return applied;
  }

  async #apply({ number, member }: PostedRecord): Promise<AppliedRecord | null> {
    if (number !== this.#inbox.applied) return null;
    const read = await readMember(member);
    const isWhole = typeof read === "object" && read.length === member.length;
    const record = isWhole ? readRecord(number, read.content) : null;
    if (record === null)
      throw new InvalidInput([`The agent sent a record that is broken: number ${number}.`]);
    await this.#file.appendFile(member);
    // Once the last record is applied, the agent may delete its recording.
    if (record.kind === "moment" && record.moment.isEnd) await this.#file.datasync();
    this.#inbox.accept(number);
    return record;
  }

  /** Closes the file after the pending records are applied. */
  async close(): Promise<void> {
    await this.#settled;
    await this.#file.close();
  }

  /** Deletes the file, because its agent no longer takes part. */
  async remove(): Promise<void> {
    await this.close();
    await rm(this.#path, { force: true });
  }
}

/** Parses a gzip member, which holds one line; null if it is invalid. */
function readRecord(number: number, content: Buffer): AppliedRecord | null {
  const text = content.toString("utf8");
  if (text.indexOf("\n") !== text.length - 1) return null;
  if (number === 0) {
    const head = readHeadLine(text);
    return head === undefined ? null : { kind: "head", run: head.run };
  }
  const moment = readMomentLine(text);
  return moment === undefined ? null : { kind: "moment", moment };
}
