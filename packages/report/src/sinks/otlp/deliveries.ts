import type { Sent } from "./send-metrics.ts";

/** Counts the exports of a run, and describes what did not arrive. */
export class Deliveries {
  readonly #host: string;
  #exports = 0;
  #failed = 0;
  #rejectedPoints = 0;
  #isLastDelivered = false;
  #firstReason: string | null = null;
  #hasWarned = false;

  constructor(host: string) {
    this.#host = host;
  }

  /** Returns a warning the first time that something goes wrong. */
  note(sent: Sent): string | null {
    this.#exports++;
    this.#isLastDelivered = sent.isDelivered;
    if (sent.isDelivered) this.#rejectedPoints += sent.rejected;
    else {
      this.#failed++;
      this.#firstReason ??= sent.reason;
    }
    const problem = this.#problemOf(sent);
    if (problem === null || this.#hasWarned) return null;
    this.#hasWarned = true;
    return `${problem}. The run goes on.`;
  }

  /** Returns the sentences for the end of the run; empty if everything arrived. */
  describeLoss(): string[] {
    return [
      ...(this.#failed === 0 ? [] : [this.#describeFailed()]),
      ...(this.#rejectedPoints === 0 ? [] : [describeRejected(this.#host, this.#rejectedPoints)]),
    ];
  }

  #problemOf(sent: Sent): string | null {
    if (!sent.isDelivered) return `an OTLP export to ${this.#host} failed: ${sent.reason}`;
    return sent.rejected === 0 ? null : describeRejected(this.#host, sent.rejected);
  }

  #describeFailed(): string {
    const why = `(${String(this.#firstReason)})`;
    if (this.#failed === this.#exports) return `no OTLP export reached ${this.#host} ${why}`;
    const effect = this.#isLastDelivered
      ? "a later one delivered their samples"
      : "the last samples are missing there";
    return `${this.#failed} of ${this.#exports} OTLP exports to ${this.#host} failed ${why}; ${effect}`;
  }
}

function describeRejected(host: string, points: number): string {
  return `${host} rejected ${points} data points of OTLP exports`;
}
