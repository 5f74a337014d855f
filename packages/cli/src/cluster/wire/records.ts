/** The number of records that may be sent before the first of them is acknowledged. */
const maxUnacknowledged = 64;

/** Chooses which of an agent's records to send next, and repeats lost ones. */
export class Outbox {
  #written = 0;
  #acknowledged = 0;
  #next = 0;
  #isConnected = false;

  /** Notes that one more record is on disk. */
  write(): void {
    this.#written++;
  }

  /**
   * Restarts on a new connection: the coordinator has the first `applied` records, and all later ones are
   * sent again.
   */
  connect(applied: number): void {
    this.#isConnected = true;
    this.#acknowledged = applied;
    this.#next = applied;
  }

  disconnect(): void {
    this.#isConnected = false;
  }

  /** Notes that the coordinator has the first `applied` records. */
  acknowledge(applied: number): void {
    this.#acknowledged = Math.max(this.#acknowledged, applied);
  }

  /** Returns the number of the record to send now; null if there is none. */
  take(): number | null {
    const hasRoom = this.#next - this.#acknowledged < maxUnacknowledged;
    return this.#isConnected && hasRoom && this.#next < this.#written ? this.#next++ : null;
  }

  /** True if the coordinator has every record that was written. */
  get isEmpty(): boolean {
    return this.#acknowledged >= this.#written;
  }
}

/** Accepts the records of one agent, each once and in order. */
export class Inbox {
  #applied: number;

  /** @param applied the number of records that are already applied */
  constructor(applied: number) {
    this.#applied = applied;
  }

  get applied(): number {
    return this.#applied;
  }

  /** Returns true if this record is the next one; false if it is repeated or out of order. */
  accept(number: number): boolean {
    if (number !== this.#applied) return false;
    this.#applied++;
    return true;
  }
}
