/** The non-empty buckets of a histogram as [index, count, index, count, …], in ascending order of the index. */
export type HistogramBuckets = Uint32Array;

/** Counts by bucket index. */
export interface BucketCounts {
  /** Adds to the count of a bucket; a negative `count` takes away. Returns false when there is no room for the bucket. */
  add(index: number, count: number): boolean;
  buckets(): HistogramBuckets;
}

/** More different buckets than this take less memory in pages. */
const maxPairs = 1024;
const firstPairs = 8;

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

  buckets(): HistogramBuckets {
    return this.#pairs.slice(0, this.#used);
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
    if (this.#used === this.#pairs.length) {
      const larger = new Uint32Array(this.#pairs.length * 2);
      larger.set(this.#pairs);
      this.#pairs = larger;
    }
    this.#pairs.copyWithin(at + 2, at, this.#used);
    this.#pairs[at] = index;
    this.#pairs[at + 1] = count;
    this.#used += 2;
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
    for (let at = 0; at < buckets.length; at += 2) counts.add(buckets[at] ?? 0, buckets[at + 1] ?? 0);
    return counts;
  }

  add(index: number, count: number): boolean {
    const page = this.#pages[index >>> pageBits] ?? this.#addPage(index >>> pageBits);
    const offset = index & (pageSize - 1);
    page[offset] = (page[offset] ?? 0) + count;
    return true;
  }

  buckets(): HistogramBuckets {
    const pairs: number[] = [];
    for (const [number, page] of this.#pages.entries()) {
      if (page === null) continue;
      for (let offset = 0; offset < pageSize; offset++) {
        const count = page[offset] ?? 0;
        if (count > 0) pairs.push(number * pageSize + offset, count);
      }
    }
    return Uint32Array.from(pairs);
  }

  clear(): void {
    for (const page of this.#pages) page?.fill(0);
  }

  #addPage(number: number): Uint32Array {
    while (this.#pages.length <= number) this.#pages.push(null);
    return (this.#pages[number] = new Uint32Array(pageSize));
  }
}
