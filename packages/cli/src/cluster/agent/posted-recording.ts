import type { RecordedMoment, RecordedRun, RunRecorder } from "@bearhug/engine/outcome/run-record";
import { RecordingFile } from "@bearhug/engine/recording/recording-file";

import { packRecord } from "../wire/messages.ts";
import { Outbox } from "../wire/records.ts";

/** The recording of an agent, which is written to its disk and from there sent to the coordinator. */
export class PostedRecording implements RunRecorder {
  readonly #file: RecordingFile;
  readonly #post: (record: Uint8Array) => Promise<void>;
  readonly #outbox = new Outbox();
  #isPosting = false;
  #connections = 0;

  /** @param post sends a record; a lost record is sent again after a reconnection */
  constructor(folder: string, warn: (text: string) => void, post: (record: Uint8Array) => Promise<void>) {
    this.#post = post;
    this.#file = new RecordingFile(folder, warn, () => {
      this.#outbox.write();
      void this.#postAll();
    });
  }

  begin(run: RecordedRun): void {
    this.#file.begin(run);
  }

  add(moment: RecordedMoment): void {
    this.#file.add(moment);
  }

  /** Resumes sending on a new connection, to a coordinator that has the first `applied` records. */
  connect(applied: number): void {
    this.#connections++;
    this.#outbox.connect(applied);
    void this.#postAll();
  }

  disconnect(): void {
    this.#outbox.disconnect();
  }

  acknowledge(applied: number): void {
    this.#outbox.acknowledge(applied);
    void this.#postAll();
  }

  /** True if the coordinator has everything recorded so far. */
  get isPosted(): boolean {
    return this.#outbox.isEmpty;
  }

  /** Resolves to the path once everything is on disk; null if the run could not be recorded to its end. */
  close(): Promise<string | null> {
    return this.#file.close();
  }

  remove(): Promise<void> {
    return this.#file.remove();
  }

  async #postAll(): Promise<void> {
    if (this.#isPosting) return;
    this.#isPosting = true;
    try {
      for (let number = this.#outbox.take(); number !== null; number = this.#outbox.take()) {
        const connection = this.#connections;
        const member = await this.#file.readLine(number);
        // If the agent has reconnected meanwhile, the outbox restarts with the first record that the
        // coordinator lacks.
        if (connection === this.#connections) await this.#post(packRecord({ number, member }));
      }
    } finally {
      this.#isPosting = false;
    }
  }
}
