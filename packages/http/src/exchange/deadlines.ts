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
 * began, so each timeout has a queue whose head is the next to expire; adding and cancelling are O(1). Empty
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

class DeadlineQueue {
  #head: DeadlineNode | null = null;
  #tail: DeadlineNode | null = null;

  append(atMs: number, target: Expiring): DeadlineNode {
    const node = new DeadlineNode(this, atMs, target);
    node.previous = this.#tail;
    if (this.#tail === null) this.#head = node;
    else this.#tail.next = node;
    this.#tail = node;
    return node;
  }

  remove(node: DeadlineNode): void {
    if (node.previous === null) this.#head = node.next;
    else node.previous.next = node.next;
    if (node.next === null) this.#tail = node.previous;
    else node.next.previous = node.previous;
    // Otherwise garbage nodes of old requests would keep newer ones alive.
    node.previous = null;
    node.next = null;
  }

  /** Expires due deadlines in order, and skips those that an earlier expiry cancelled. */
  expireDue(nowMs: number): void {
    for (let node = this.#head; node !== null && node.atMs <= nowMs; node = this.#head) {
      node.cancel();
      node.target.expire();
    }
  }

  get nextMs(): number {
    return this.#head?.atMs ?? Number.POSITIVE_INFINITY;
  }

  get isEmpty(): boolean {
    return this.#head === null;
  }
}

class DeadlineNode implements Deadline {
  previous: DeadlineNode | null = null;
  next: DeadlineNode | null = null;
  readonly atMs: number;
  readonly target: Expiring;
  #queue: DeadlineQueue | null;

  constructor(queue: DeadlineQueue, atMs: number, target: Expiring) {
    this.#queue = queue;
    this.atMs = atMs;
    this.target = target;
  }

  cancel(): void {
    this.#queue?.remove(this);
    this.#queue = null;
  }
}
