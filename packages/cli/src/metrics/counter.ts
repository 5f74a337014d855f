/** Adds up what it is given. */
export class Counter {
  readonly type = "counter";
  total = 0;
  /** The number of additions. */
  samples = 0;

  add(amount: number): void {
    this.total += amount;
    this.samples++;
  }

  drain(): CounterDelta | null {
    if (this.samples === 0) return null;
    const delta: CounterDelta = { type: "counter", total: this.total, samples: this.samples };
    this.total = 0;
    this.samples = 0;
    return delta;
  }

  merge(delta: CounterDelta): void {
    this.total += delta.total;
    this.samples += delta.samples;
  }
}

export interface CounterDelta {
  readonly type: "counter";
  readonly total: number;
  readonly samples: number;
}
