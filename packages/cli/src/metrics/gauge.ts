/** The last value it was given, with the extremes seen. */
export class Gauge {
  readonly type = "gauge";
  value = 0;
  min: number = Number.POSITIVE_INFINITY;
  max: number = Number.NEGATIVE_INFINITY;
  /** The sum of all values, for their average. */
  sum = 0;
  samples = 0;

  add(value: number): void {
    this.value = value;
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
    this.sum += value;
    this.samples++;
  }

  drain(): GaugeDelta | null {
    if (this.samples === 0) return null;
    const delta: GaugeDelta = {
      type: "gauge",
      value: this.value,
      min: this.min,
      max: this.max,
      sum: this.sum,
      samples: this.samples,
    };
    this.min = Number.POSITIVE_INFINITY;
    this.max = Number.NEGATIVE_INFINITY;
    this.sum = 0;
    this.samples = 0;
    return delta;
  }

  merge(delta: GaugeDelta): void {
    this.value = delta.value;
    this.min = Math.min(this.min, delta.min);
    this.max = Math.max(this.max, delta.max);
    this.sum += delta.sum;
    this.samples += delta.samples;
  }
}

export interface GaugeDelta {
  readonly type: "gauge";
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly sum: number;
  readonly samples: number;
}
