import { existsSync } from "node:fs";
import { open, rm, truncate, type FileHandle } from "node:fs/promises";

import type { RecordedMoment, RecordedRun } from "@bearhug/engine/outcome/run-record";
import { readMember, readMembers } from "@bearhug/engine/recording/gzip-members";
import { readHeadLine, readMomentLine } from "@bearhug/engine/recording/read-recording";
import { InvalidInput } from "@bearhug/sdk";

import type { PostedRecord } from "../wire/messages.ts";
import { Inbox } from "../wire/records.ts";

/** A record, as it was applied. */
export type AppliedRecord =
  | { readonly kind: "head"; readonly run: RecordedRun }
  | { readonly kind: "moment"; readonly moment: RecordedMoment };

/** The recording of one agent in the coordinator's folder: a record that stands in it is applied, and nothing else is. */
export class PartFile {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #inbox: Inbox;
  /** Settles when the last record that came is applied, or is not. */
  #settled: Promise<unknown> = Promise.resolve();

  private constructor(path: string, file: FileHandle, applied: number) {
    this.#path = path;
    this.#file = file;
    this.#inbox = new Inbox(applied);
  }

  /** Opens a part; `replay` is given what is in it already. A record that was being written when the process died is cut off. */
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

  /** The number of records that are applied. */
  get applied(): number {
    return this.#inbox.applied;
  }

  /**
   * Applies a record once those before it are: an agent that has just reconnected may send again what is being written.
   * Returns null for one that is applied already, or comes before its turn.
   * @throws {InvalidInput} for a record that is broken
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
    // The agent may forget its recording once the last record is applied.
    if (record.kind === "moment" && record.moment.isEnd) await this.#file.datasync();
    this.#inbox.accept(number);
    return record;
  }

  /** Resolves when the records that came before are applied, and the file is closed. */
  async close(): Promise<void> {
    await this.#settled;
    await this.#file.close();
  }

  /** Its agent takes no part any more. */
  async remove(): Promise<void> {
    await this.close();
    await rm(this.#path, { force: true });
  }
}

/** A member holds one line. */
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
