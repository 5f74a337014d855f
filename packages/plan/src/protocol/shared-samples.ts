import type { Tags } from "@bearhug/metrics/tags";
import type { Timings } from "@bearhug/sdk";
import { eachPhase, phaseNames } from "@bearhug/sdk/internal";

/** A request that has ended, in the form that is shared between threads. */
export interface SharedSample {
  /** The number of its {@link SampleKind}. */
  readonly kind: number;
  /** By the clock that all threads share, in ms. */
  readonly calledAt: number;
  readonly status: number;
  /** Null if no connection opened. */
  readonly timings: Timings | null;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  /** 32 hexadecimal digits; null without a trace. */
  readonly traceId: string | null;
}

const times: readonly (keyof Timings)[] = [...phaseNames, "duration", "responseTime"];

const firstTime = 5;
const firstTraceSlot = firstTime + times.length;
/** A trace id has 16 bytes. Without one they are all 0, which no valid id is. */
const traceWords = 4;
const slotsOfSample = firstTraceSlot + traceWords / 2;
const digitsOfWord = 8;
/** The most samples that may wait to be read: more than a fast worker adds in a second. */
const capacity = 32_768;
/** Bytes before the samples: how many were written and read (modulo 2^32), and how many were shed. */
const headBytes = 16;

/**
 * Samples of one worker, on their way to a file: a ring in shared memory that outlives the worker. One thread
 * adds, one takes. If the reader falls so far behind that the ring is full, samples are shed and counted: the
 * load never waits.
 */
export class SharedSamples {
  readonly buffer: SharedArrayBuffer;
  readonly #ends: Uint32Array;
  readonly #shed: Float64Array;
  readonly #slots: Float64Array;
  /** The same memory, for trace ids. */
  readonly #words: Uint32Array;

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(headBytes + capacity * slotsOfSample * 8)) {
    this.buffer = buffer;
    this.#ends = new Uint32Array(buffer, 0, 2);
    this.#shed = new Float64Array(buffer, 8, 1);
    this.#slots = new Float64Array(buffer, headBytes);
    this.#words = new Uint32Array(buffer, headBytes);
  }

  /** The number of samples that were shed because the ring was full. */
  get shed(): number {
    return this.#shed[0] ?? 0;
  }

  /** Adds a sample, or sheds it. */
  add({ kind, calledAt, status, timings, bytesSent, bytesReceived, traceId }: SharedSample): void {
    const written = Atomics.load(this.#ends, 0);
    if (countBetween(Atomics.load(this.#ends, 1), written) >= capacity) {
      this.#shed[0] = this.shed + 1;
      return;
    }
    const slots = this.#slots;
    let slot = (written % capacity) * slotsOfSample;
    for (const value of [kind, calledAt, status, bytesSent, bytesReceived]) slots[slot++] = value;
    for (const time of times) slots[slot++] = timings === null ? Number.NaN : timings[time];
    this.#setTrace(slot, traceId);
    Atomics.store(this.#ends, 0, written + 1);
  }

  /**
   * Takes at most `most` samples in order, up to the first for which `read` returns false. Returns how many
   * it took.
   */
  take(most: number, read: (sample: SharedSample) => boolean): number {
    const before = Atomics.load(this.#ends, 1);
    const waiting = Math.min(most, countBetween(before, Atomics.load(this.#ends, 0)));
    let taken = 0;
    while (taken < waiting && read(this.#at((before + taken) % capacity))) taken++;
    Atomics.store(this.#ends, 1, before + taken);
    return taken;
  }

  #setTrace(slot: number, traceId: string | null): void {
    for (let word = 0; word < traceWords; word++) {
      const digits = traceId?.slice(word * digitsOfWord, (word + 1) * digitsOfWord) ?? "0";
      this.#words[2 * slot + word] = Number.parseInt(digits, 16);
    }
  }

  #traceAt(slot: number): string | null {
    const words = this.#words.subarray(2 * slot, 2 * slot + traceWords);
    if (words.every((word) => word === 0)) return null;
    return Array.from(words, (word) => word.toString(16).padStart(digitsOfWord, "0")).join("");
  }

  #at(position: number): SharedSample {
    const start = position * slotsOfSample;
    const value = (index: number): number => this.#slots[start + index] ?? 0;
    let slot = firstTime;
    const timings = (): Timings => ({
      ...eachPhase(() => value(slot++)),
      duration: value(slot++),
      responseTime: value(slot),
    });
    return {
      kind: value(0),
      calledAt: value(1),
      status: value(2),
      bytesSent: value(3),
      bytesReceived: value(4),
      timings: Number.isNaN(value(firstTime)) ? null : timings(),
      traceId: this.#traceAt(start + firstTraceSlot),
    };
  }
}

/**
 * Returns how many samples are unread. Both counts are modulo 2^32, of which the ring's
 * capacity is a divisor.
 */
function countBetween(read: number, written: number): number {
  return (written - read) >>> 0;
}

/** The rule that selects sampled requests. A share is drawn at random from all. */
export type SampleRule =
  | { readonly kind: "all" }
  | { readonly kind: "errors" }
  | { readonly kind: "share"; readonly share: number };

/** The texts that samples of one worker have in common, sent once. Secrets are masked. */
export interface SampleKind {
  /** Its number in its worker, from 0. */
  readonly id: number;
  readonly tags: Tags;
  /** The code of the error; null for a success. */
  readonly error: string | null;
}

/** Receives the samples of a run. */
export interface SampleTaker {
  readonly rule: SampleRule;
  /** Returns the memory for the samples of a new worker. */
  join(workerId: number): SharedArrayBuffer;
  /** Announces a kind of samples that is new in this worker. */
  define(workerId: number, kind: SampleKind): void;
}

/** A load worker's settings for sampling requests. */
export interface WorkerSampling {
  readonly rule: SampleRule;
  /** Memory of {@link SharedSamples}. */
  readonly ring: SharedArrayBuffer;
}
