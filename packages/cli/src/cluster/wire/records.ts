/** So many records may be on their way before one of them is acknowledged. */
const mostUnacknowledged = 64;

/** An agent's records on their way to the coordinator: which to send next, whatever was lost before. */
export class Outbox {
  #written = 0;
  #acknowledged = 0;
  #next = 0;
  #isConnected = false;

  /** One more record is on the disk. */
  write(): void {
    this.#written++;
  }

  /** A new connection: the coordinator has the first `applied` records, and whatever else was sent is sent again. */
  connect(applied: number): void {
    this.#isConnected = true;
    this.#acknowledged = applied;
    this.#next = applied;
  }

  disconnect(): void {
    this.#isConnected = false;
  }

  /** The coordinator has the first `applied` records. */
  acknowledge(applied: number): void {
    this.#acknowledged = Math.max(this.#acknowledged, applied);
  }

  /** The number of the record to send now; null if there is none. */
  take(): number | null {
    const hasRoom = this.#next - this.#acknowledged < mostUnacknowledged;
    return this.#isConnected && hasRoom && this.#next < this.#written ? this.#next++ : null;
  }

  /** True if the coordinator has every record that was written. */
  get isEmpty(): boolean {
    return this.#acknowledged >= this.#written;
  }
}

/** The records of one agent as they arrive: each is applied once, in order. */
export class Inbox {
  #applied: number;

  /** @param applied the number of records that are there already */
  constructor(applied: number) {
    this.#applied = applied;
  }

  get applied(): number {
    return this.#applied;
  }

  /** Returns true if this record is the next; false for one that came before, or before its turn. */
  accept(number: number): boolean {
    if (number !== this.#applied) return false;
    this.#applied++;
    return true;
  }
}
