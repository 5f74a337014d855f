import type { Clock } from "@bearhug/plan/pacing/clock";

/** The target of a deadline. */
export interface Expiring {
  expire(): void;
}

/** An entry in a queue of deadlines. Cancel it when the work is done in time. */
export interface Deadline {
  cancel(): void;
}

/** Tests usually have fewer distinct timeouts. Up to this number, queues are kept even when empty. */
const usualQueues = 32;

/**
 * Timeouts for many requests with one timer. Requests with the same timeout expire in the order in which they
 * began, so each timeout has a queue whose first is the next to expire; adding and cancelling are O(1). Empty
 * queues are dropped together, once there are twice as many queues as after the last time: a test may give
 * every request a different timeout.
 */
export class Deadlines {
  readonly #clock: Clock;
  readonly #queues = new Map<number, DeadlineQueue>();
  #disarm: (() => void) | null = null;
  #armedFor = Number.POSITIVE_INFINITY;
  #roomForQueues = usualQueues;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  after(timeoutMs: number, target: Expiring, nowMs: number): Deadline {
    const queue = this.#queues.get(timeoutMs) ?? this.#addQueue(timeoutMs);
    const node = queue.append(nowMs + timeoutMs, target);
    if (node.atMs < this.#armedFor) this.#arm(node.atMs);
    return node;
  }

  /** Stops the timer if no deadline is left: it would keep the thread alive until the last one had been due. */
  stopIfEmpty(): void {
    if ([...this.#queues.values()].every(({ isEmpty }) => isEmpty)) this.close();
  }

  close(): void {
    this.#disarm?.();
    this.#disarm = null;
    this.#armedFor = Number.POSITIVE_INFINITY;
    this.#queues.clear();
  }

  #addQueue(timeoutMs: number): DeadlineQueue {
    if (this.#queues.size >= this.#roomForQueues) {
      for (const [emptied, queue] of this.#queues) if (queue.isEmpty) this.#queues.delete(emptied);
      this.#roomForQueues = Math.max(usualQueues, 2 * this.#queues.size);
    }
    const queue = new DeadlineQueue();
    this.#queues.set(timeoutMs, queue);
    return queue;
  }

  #arm(atMs: number): void {
    this.#disarm?.();
    this.#armedFor = atMs;
    this.#disarm = this.#clock.at(atMs, () => {
      this.#fire();
    });
  }

  #fire(): void {
    this.#disarm = null;
    this.#armedFor = Number.POSITIVE_INFINITY;
    const now = this.#clock.now();
    let nextMs = Number.POSITIVE_INFINITY;
    for (const queue of this.#queues.values()) {
      queue.expireDue(now);
      nextMs = Math.min(nextMs, queue.nextMs);
    }
    if (nextMs < this.#armedFor) this.#arm(nextMs);
  }
}

/**
 * A queue has room for this many deadlines, or for four times as many as were left when it was last full. Then
 * it drops those that were cancelled.
 */
const leastRoom = 256;

/**
 * Deadlines in the order in which they expire. An array with gaps: in a linked list, each request would read
 * and change its neighbours, which belong to other users, and are rarely in the processor's cache.
 */
class DeadlineQueue {
  /** Null for a deadline that was cancelled, or has expired. */
  #nodes: (DeadlineNode | null)[] = [];
  /** The position of the first that may not be null. */
  #front = 0;
  #length = 0;
  #room = leastRoom;

  append(atMs: number, target: Expiring): DeadlineNode {
    if (this.#nodes.length >= this.#room) this.#closeGaps();
    const node = new DeadlineNode(this, this.#nodes.length, atMs, target);
    this.#nodes.push(node);
    this.#length++;
    return node;
  }

  remove({ place }: DeadlineNode): void {
    this.#nodes[place] = null;
    this.#length--;
  }

  /** Expires due deadlines in order, and skips those that an earlier expiry cancelled. */
  expireDue(nowMs: number): void {
    for (let node = this.#first(); node !== null && node.atMs <= nowMs; node = this.#first()) {
      node.cancel();
      node.target.expire();
    }
  }

  get nextMs(): number {
    return this.#first()?.atMs ?? Number.POSITIVE_INFINITY;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  #first(): DeadlineNode | null {
    for (; this.#front < this.#nodes.length; this.#front++) {
      const node = this.#nodes[this.#front] ?? null;
      if (node !== null) return node;
    }
    return null;
  }

  #closeGaps(): void {
    const left = this.#nodes.filter((node) => node !== null);
    for (const [place, node] of left.entries()) node.place = place;
    this.#nodes = left;
    this.#front = 0;
    this.#room = Math.max(leastRoom, 4 * left.length);
  }
}

class DeadlineNode implements Deadline {
  /** Its position in the queue. */
  place: number;
  readonly atMs: number;
  readonly target: Expiring;
  #queue: DeadlineQueue | null;

  constructor(queue: DeadlineQueue, place: number, atMs: number, target: Expiring) {
    this.#queue = queue;
    this.place = place;
    this.atMs = atMs;
    this.target = target;
  }

  cancel(): void {
    this.#queue?.remove(this);
    this.#queue = null;
  }
}
