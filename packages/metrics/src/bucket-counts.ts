/** The non-empty buckets of a histogram as [index, count, index, count, …], in ascending order of the index. */
export type HistogramBuckets = Uint32Array;

/** Counts by bucket index. */
export interface BucketCounts {
  /** Counts one sample. Returns false when there is no room for it. */
  record(index: number): boolean;
  /**
   * Adds to the count of a bucket; a negative `count` subtracts. Returns false when there is no
   * room for the bucket.
   */
  add(index: number, count: number): boolean;
  /**
   * Adds all counts, or subtracts them if `sign` is -1. Returns false, with nothing added,
   * when there is no room.
   */
  addAll(buckets: HistogramBuckets, sign: 1 | -1): boolean;
  /** The non-empty buckets, valid until the next change. */
  buckets(): HistogramBuckets;
  /** The index of the bucket with the `rank`-th smallest sample, counted from 1; -1 if there are fewer samples. */
  indexAtRank(rank: number): number;
  /** The number of samples in buckets up to this one. */
  countUpTo(index: number): number;
  /** The index of the last bucket with samples; -1 without any. */
  lastIndex(): number;
  /** Returns a copy of all buckets, and removes all samples. */
  drain(copy: CopyBuckets): HistogramBuckets;
}

/** Copies buckets to memory that nothing else changes. */
export type CopyBuckets = (buckets: HistogramBuckets) => HistogramBuckets;

/** Copies buckets into a new array. */
export const copySeparately: CopyBuckets = (buckets) => buckets.slice();

const firstRoom = 1024;
const maxRoom = 2 ** 16;

/**
 * Returns a function that copies the buckets of many histograms into few arrays: sending thousands of small
 * arrays to another thread takes longer, and more memory on both sides.
 */
export function createPackedCopier(): CopyBuckets {
  let [room, used] = [new Uint32Array(0), 0];
  return (buckets) => {
    if (used + buckets.length > room.length) {
      const larger = Math.min(maxRoom, Math.max(firstRoom, 2 * room.length));
      room = new Uint32Array(Math.max(larger, buckets.length));
      used = 0;
    }
    room.set(buckets, used);
    used += buckets.length;
    return room.subarray(used - buckets.length, used);
  };
}

/** More different buckets than this take less memory in pages. */
const maxPairs = 1024;
/** Room for this many pairs is kept when all samples are removed. */
const keptPairs = 64;
/** Fewer pairs are added one by one: that takes less time than going through all pairs. */
const fewPairs = 8;
/** Buffer in which two lists of pairs are merged; reused each time. */
const joined = new Uint32Array(2 * maxPairs * 2);
/**
 * The number of samples that are kept unsorted. Sorting them all at once takes less time than
 * finding a place for each.
 */
const maxRecent = 64;
/** Buffers in which recent samples are sorted, and then counted as pairs; reused each time. */
const sorted = new Uint32Array(maxRecent);
const recentPairs = new Uint32Array(maxRecent * 2);
const noPairs = new Uint32Array(0);

/**
 * Counts of few different buckets: sorted pairs of index and count. In a run with many series,
 * most have few samples.
 */
export class SparseCounts implements BucketCounts {
  /** Numbers past `#used` are stale. */
  #pairs = noPairs;
  #used = 0;
  /** The buckets of samples that are not among the pairs yet; only the first `#recentCount` are valid. */
  readonly #recent: number[] = [];
  #recentCount = 0;

  record(index: number): boolean {
    if (this.#used + 2 * this.#recentCount >= maxPairs * 2) return false;
    if (this.#recentCount === maxRecent) this.#settle();
    this.#recent[this.#recentCount++] = index;
    return true;
  }

  add(index: number, count: number): boolean {
    this.#settle();
    const at = this.#find(index);
    if (at < this.#used && this.#pairs[at] === index) {
      const sum = (this.#pairs[at + 1] ?? 0) + count;
      if (sum > 0) this.#pairs[at + 1] = sum;
      else this.#remove(at);
      return true;
    }
    if (this.#used === maxPairs * 2) return false;
    this.#insert(at, index, count);
    return true;
  }

  addAll(buckets: HistogramBuckets, sign: 1 | -1): boolean {
    this.#settle();
    if (buckets.length > maxPairs * 2) return false;
    if (buckets.length < fewPairs * 2 && this.#used + buckets.length <= maxPairs * 2) {
      for (let at = 0; at < buckets.length; at += 2)
        this.add(buckets[at] ?? 0, sign * (buckets[at + 1] ?? 0));
      return true;
    }
    return this.#merge(buckets, sign);
  }

  buckets(): HistogramBuckets {
    this.#settle();
    return this.#pairs.subarray(0, this.#used);
  }

  drain(copy: CopyBuckets): HistogramBuckets {
    const buckets = copy(this.#used === 0 ? this.#sortRecent() : this.buckets());
    this.#recentCount = 0;
    this.#used = 0;
    if (this.#pairs.length > keptPairs * 2) this.#pairs = noPairs;
    return buckets;
  }

  indexAtRank(rank: number): number {
    this.#settle();
    let seen = 0;
    for (let at = 0; at < this.#used; at += 2) {
      seen += this.#pairs[at + 1] ?? 0;
      if (seen >= rank) return this.#pairs[at] ?? 0;
    }
    return -1;
  }

  countUpTo(index: number): number {
    this.#settle();
    let count = 0;
    for (let at = 0; at < this.#used && (this.#pairs[at] ?? 0) <= index; at += 2)
      count += this.#pairs[at + 1] ?? 0;
    return count;
  }

  lastIndex(): number {
    this.#settle();
    return this.#used === 0 ? -1 : (this.#pairs[this.#used - 2] ?? 0);
  }

  /** Adds the recent samples to the pairs; there is room for them. */
  #settle(): void {
    if (this.#recentCount === 0) return;
    const recent = this.#sortRecent();
    this.#recentCount = 0;
    this.#merge(recent, 1);
  }

  /** Returns the recent samples as pairs, valid until the next call for any histogram. */
  #sortRecent(): HistogramBuckets {
    const count = this.#recentCount;
    for (let at = 0; at < count; at++) sorted[at] = this.#recent[at] ?? 0;
    sorted.subarray(0, count).sort();
    let end = 0;
    for (let at = 0; at < count; at++) {
      const index = sorted[at] ?? 0;
      if (end > 0 && recentPairs[end - 2] === index) recentPairs[end - 1] = (recentPairs[end - 1] ?? 0) + 1;
      else {
        recentPairs[end++] = index;
        recentPairs[end++] = 1;
      }
    }
    return recentPairs.subarray(0, end);
  }

  #merge(buckets: HistogramBuckets, sign: 1 | -1): boolean {
    if (this.#used === 0 && sign === 1) {
      this.#grow(buckets.length);
      this.#pairs.set(buckets);
      this.#used = buckets.length;
      return true;
    }
    const used = this.#join(buckets, sign);
    if (used > maxPairs * 2) return false;
    this.#grow(used);
    this.#pairs.set(joined.subarray(0, used));
    this.#used = used;
    return true;
  }

  /** Writes the sums of these pairs and others into `joined`, and returns the length that they take. */
  #join(others: HistogramBuckets, sign: 1 | -1): number {
    const own = this.#pairs;
    let [at, end] = [0, 0];
    for (let other = 0; other < others.length; other += 2) {
      const index = others[other] ?? 0;
      for (; at < this.#used && (own[at] ?? 0) < index; at += 2, end += 2) {
        joined[end] = own[at] ?? 0;
        joined[end + 1] = own[at + 1] ?? 0;
      }
      let count = sign * (others[other + 1] ?? 0);
      if (at < this.#used && own[at] === index) {
        count += own[at + 1] ?? 0;
        at += 2;
        if (count <= 0) continue;
      }
      joined[end] = index;
      joined[end + 1] = count;
      end += 2;
    }
    joined.set(own.subarray(at, this.#used), end);
    return end + this.#used - at;
  }

  /** Returns the position of the first pair whose index is not below `index`. */
  #find(index: number): number {
    let [low, high] = [0, this.#used / 2];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#pairs[middle * 2] ?? 0) < index) low = middle + 1;
      else high = middle;
    }
    return low * 2;
  }

  #insert(at: number, index: number, count: number): void {
    this.#grow(this.#used + 2);
    this.#pairs.copyWithin(at + 2, at, this.#used);
    this.#pairs[at] = index;
    this.#pairs[at + 1] = count;
    this.#used += 2;
  }

  /** Makes room for `length` numbers. */
  #grow(length: number): void {
    if (length <= this.#pairs.length) return;
    // The first array has exactly the length needed: the first samples are the best estimate of
    // the number of buckets.
    const larger = new Uint32Array(Math.max(length, 2 * this.#pairs.length));
    larger.set(this.#pairs);
    this.#pairs = larger;
  }

  #remove(at: number): void {
    this.#pairs.copyWithin(at, at + 2, this.#used);
    this.#used -= 2;
  }
}

const pageBits = 10;
const pageSize = 2 ** pageBits;

/** Counts of many different buckets: an array for each range of buckets with samples. */
export class PagedCounts implements BucketCounts {
  readonly #pages: (Uint32Array | null)[] = [];

  static of(buckets: HistogramBuckets): PagedCounts {
    const counts = new PagedCounts();
    counts.addAll(buckets, 1);
    return counts;
  }

  record(index: number): boolean {
    return this.add(index, 1);
  }

  add(index: number, count: number): boolean {
    const page = this.#pages[index >>> pageBits] ?? this.#addPage(index >>> pageBits);
    const offset = index & (pageSize - 1);
    page[offset] = (page[offset] ?? 0) + count;
    return true;
  }

  addAll(buckets: HistogramBuckets, sign: 1 | -1): boolean {
    for (let at = 0; at < buckets.length; at += 2) this.add(buckets[at] ?? 0, sign * (buckets[at + 1] ?? 0));
    return true;
  }

  buckets(): HistogramBuckets {
    const pairs = new Uint32Array(2 * this.#different());
    let end = 0;
    for (const [number, page] of this.#pages.entries()) {
      if (page === null) continue;
      for (let offset = 0; offset < pageSize; offset++) {
        const count = page[offset] ?? 0;
        if (count === 0) continue;
        pairs[end++] = number * pageSize + offset;
        pairs[end++] = count;
      }
    }
    return pairs;
  }

  indexAtRank(rank: number): number {
    let seen = 0;
    for (const [number, page] of this.#pages.entries()) {
      if (page === null) continue;
      for (let offset = 0; offset < pageSize; offset++) {
        seen += page[offset] ?? 0;
        if (seen >= rank) return number * pageSize + offset;
      }
    }
    return -1;
  }

  countUpTo(index: number): number {
    let count = 0;
    for (const [number, page] of this.#pages.entries()) {
      const end = Math.min(pageSize, index - number * pageSize + 1);
      if (page !== null) for (let offset = 0; offset < end; offset++) count += page[offset] ?? 0;
    }
    return count;
  }

  lastIndex(): number {
    for (let number = this.#pages.length - 1; number >= 0; number--) {
      const offset = this.#pages[number]?.findLastIndex((count) => count > 0) ?? -1;
      if (offset >= 0) return number * pageSize + offset;
    }
    return -1;
  }

  drain(copy: CopyBuckets): HistogramBuckets {
    const buckets = copy(this.buckets());
    for (const page of this.#pages) page?.fill(0);
    return buckets;
  }

  /** Returns the number of different buckets with samples. */
  #different(): number {
    let different = 0;
    for (const page of this.#pages) {
      if (page === null) continue;
      for (let offset = 0; offset < pageSize; offset++) if (page[offset] !== 0) different++;
    }
    return different;
  }

  #addPage(number: number): Uint32Array {
    while (this.#pages.length <= number) this.#pages.push(null);
    return (this.#pages[number] = new Uint32Array(pageSize));
  }
}
