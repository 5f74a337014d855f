/** The share of trues among the values it is given. */
export class Rate {
  readonly type = "rate";
  trues = 0;
  samples = 0;

  add(value: boolean): void {
    if (value) this.trues++;
    this.samples++;
  }

  /** A value that was added as false has turned out to be true; the delta that had it may be gone. */
  correct(): void {
    this.trues++;
  }

  /** Adds a share of a quantity, such as time: `trues` of `samples`, both whole numbers. */
  addShare(trues: number, samples: number): void {
    this.trues += trues;
    this.samples += samples;
  }

  drain(): RateDelta | null {
    if (this.samples === 0 && this.trues === 0) return null;
    const delta: RateDelta = { type: "rate", trues: this.trues, samples: this.samples };
    this.trues = 0;
    this.samples = 0;
    return delta;
  }

  merge(delta: RateDelta): void {
    this.trues += delta.trues;
    this.samples += delta.samples;
  }
}

export interface RateDelta {
  readonly type: "rate";
  readonly trues: number;
  readonly samples: number;
}
