/** The non-empty buckets of a histogram as [index, count, index, count, …], in ascending order of the index. */
export type HistogramBuckets = Uint32Array;

/** Counts by bucket index. */
export interface BucketCounts {
  /** Adds to the count of a bucket; a negative `count` takes away. Returns false when there is no room for the bucket. */
  add(index: number, count: number): boolean;
  /** Adds all counts, or with a `sign` of -1 takes them away. Returns false, with nothing added, when there is no room. */
  addAll(buckets: HistogramBuckets, sign: 1 | -1): boolean;
  buckets(): HistogramBuckets;
}

/** More different buckets than this take less memory in pages. */
const maxPairs = 1024;
const firstPairs = 8;
/** Fewer pairs are added one by one: that takes less time than a walk through all. */
const fewPairs = 8;
/** Two lists of pairs are joined in it; used again each time. */
const joined = new Uint32Array(2 * maxPairs * 2);

/** Counts of few different buckets: sorted pairs of index and count. Most series of a run with many have few samples. */
export class SparseCounts implements BucketCounts {
  #pairs = new Uint32Array(firstPairs * 2);
  #used = 0;

  add(index: number, count: number): boolean {
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
    if (buckets.length > maxPairs * 2) return false;
    if (buckets.length < fewPairs * 2 && this.#used + buckets.length <= maxPairs * 2) {
      for (let at = 0; at < buckets.length; at += 2)
        this.add(buckets[at] ?? 0, sign * (buckets[at + 1] ?? 0));
      return true;
    }
    const used = this.#join(buckets, sign);
    if (used > maxPairs * 2) return false;
    this.#grow(used);
    this.#pairs.set(joined.subarray(0, used));
    this.#used = used;
    return true;
  }

  buckets(): HistogramBuckets {
    return this.#pairs.slice(0, this.#used);
  }

  /** Writes the sums of these pairs and others into `joined`, and returns how much of it they take. */
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

  /** The position of the first pair whose index is not below `index`. */
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

  /** Makes room for so many numbers. */
  #grow(length: number): void {
    if (length <= this.#pairs.length) return;
    let size = this.#pairs.length;
    while (size < length) size *= 2;
    const larger = new Uint32Array(size);
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

/** Counts of many different buckets: an array for each range of them that has samples. */
export class PagedCounts implements BucketCounts {
  readonly #pages: (Uint32Array | null)[] = [];

  static of(buckets: HistogramBuckets): PagedCounts {
    const counts = new PagedCounts();
    counts.addAll(buckets, 1);
    return counts;
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

  clear(): void {
    for (const page of this.#pages) page?.fill(0);
  }

  /** The number of different buckets with samples. */
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
