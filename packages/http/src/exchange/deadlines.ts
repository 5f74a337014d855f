import type { Clock } from "@bearhug/plan/pacing/clock";

/** Called when the time is up. */
export interface Expiring {
  expire(): void;
}

/** A place in a queue of deadlines; cancelled when the work was done in time. */
export interface Deadline {
  cancel(): void;
}

/** As many timeouts as a test usually has, and more: their queues stay, also while nothing is under way. */
const fewQueues = 32;

/**
 * Time-outs for many requests with one timer. Requests of the same time-out expire in the order in which they began,
 * so each time-out has a queue whose head is the next to expire; adding and cancelling are O(1). Queues that have emptied
 * are dropped together, when there are twice as many as the last time: a test may give every request a time-out of its own.
 */
export class Deadlines {
  readonly #clock: Clock;
  readonly #queues = new Map<number, DeadlineQueue>();
  #disarm: (() => void) | null = null;
  #armedFor = Number.POSITIVE_INFINITY;
  #roomForQueues = fewQueues;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  after(timeoutMs: number, target: Expiring, nowMs: number): Deadline {
    const queue = this.#queues.get(timeoutMs) ?? this.#addQueue(timeoutMs);
    const node = queue.append(nowMs + timeoutMs, target);
    if (node.atMs < this.#armedFor) this.#arm(node.atMs);
    return node;
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
      this.#roomForQueues = Math.max(fewQueues, 2 * this.#queues.size);
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
    // Else the garbage of old requests would hold that of new ones.
    node.previous = null;
    node.next = null;
  }

  /** Expires what is due, in order; one that an earlier expiry cancelled is left alone. */
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
