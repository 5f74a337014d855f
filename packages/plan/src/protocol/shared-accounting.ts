import { asMasked, ownWords, type MaskedText } from "@bearhug/text/masked-text";

/**
 * Exact counts of one worker, in memory that outlives it: whatever happens to the worker, the coordinator
 * can still read what was started, sent and answered. One thread writes, others read; a Float64 represents
 * counts exactly up to 2^53.
 */
export class SharedAccounting {
  readonly buffer: SharedArrayBuffer;
  readonly #counts: Float64Array;
  readonly #text: Uint8Array;
  readonly #rows = new Map<string, RequestRow>();
  /** The rows of other clients. HTTP looks a row up for each request, by its name alone. */
  readonly #clientRows = new Map<string, RequestRow>();
  readonly #readNames: NamedRow[] = [];

  constructor(buffer: SharedArrayBuffer = accountingMemory(0)) {
    this.buffer = buffer;
    this.#counts = new Float64Array(buffer);
    this.#text = new Uint8Array(buffer);
    for (const [index, { name, client }] of this.#names().entries())
      this.#keep(new RequestRow(this.#counts, rowSlot(index), name), client);
  }

  add(counter: RunCounter, amount = 1): void {
    this.#add(runSlots[counter], amount);
  }

  set(counter: RunCounter, value: number): void {
    this.#counts[runSlots[counter]] = value;
  }

  get(counter: RunCounter): number {
    return this.#at(runSlots[counter]);
  }

  // Counters of every request and iteration have methods of their own: looking up a counter's name takes
  // longer than counting.

  /** Adds the bytes of a request. */
  addBytes(sent: number, received: number): void {
    this.#add(runSlots.bytesSent, sent);
    this.#add(runSlots.bytesReceived, received);
  }

  /** Records that a VU runs an iteration of the scenario with this number in the plan. */
  vuActive(scenarioIndex: number): void {
    this.#counts[runSlots.scenarioIndex] = scenarioIndex;
    this.#add(runSlots.vusActive, 1);
  }

  vuIdle(): void {
    this.#add(runSlots.vusActive, -1);
  }

  iterationStarted(): void {
    this.#add(runSlots.iterationsStarted, 1);
  }

  iterationCompleted(): void {
    this.#add(runSlots.iterationsCompleted, 1);
  }

  /** Recounts an iteration that was counted as completed, but has failed after all. */
  iterationFailedLate(): void {
    this.#add(runSlots.iterationsFailed, 1);
    this.#add(runSlots.iterationsCompleted, -1);
  }

  /** Returns the counts of the scenario with this number in the plan. */
  scenario(index: number): ScenarioRow {
    return new ScenarioRow(this.#counts, scenariosSlot + index * slotsOfScenario);
  }

  /**
   * Returns the row of a request's name; the row `(other)` takes every name beyond the limit. `client` is the
   * client that sends the request; null for HTTP.
   */
  row(name: MaskedText, client: string | null = null): RequestRow {
    const known = client === null ? this.#rows.get(name) : this.#clientRows.get(keyOf(name, client));
    if (known !== undefined) return known;
    const used = this.#rows.size + this.#clientRows.size;
    if (used >= maxNames && name !== otherName) {
      this.#overflow ??= name;
      return this.row(otherName, client);
    }
    const slot = rowSlot(used);
    this.#write(client ?? "", slot + clientSlot, nameSlot - clientSlot);
    this.#write(name, slot + nameSlot, rowSlots - nameSlot);
    this.#counts[namesSlot] = used + 1;
    const row = new RequestRow(this.#counts, slot, name);
    this.#keep(row, client);
    return row;
  }

  #keep(row: RequestRow, client: string | null): void {
    if (client === null) this.#rows.set(row.name, row);
    else this.#clientRows.set(keyOf(row.name, client), row);
  }

  /** Writes a text after its length, cut to fit into `slots`. */
  #write(text: string, slot: number, slots: number): void {
    const room = this.#text.subarray((slot + 1) * 8, (slot + slots) * 8);
    this.#counts[slot] = new TextEncoder().encodeInto(text, room).written;
  }

  #read(slot: number): string {
    const start = (slot + 1) * 8;
    // TextDecoder does not accept views of shared memory.
    const bytes = this.#text.slice(start, start + this.#at(slot));
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  }

  #overflow: MaskedText | null = null;
  /** The first name beyond the limit; null if there is none. */
  get overflowed(): MaskedText | null {
    return this.#overflow;
  }

  /**
   * Returns the counts per request name, in the order in which the names were first used. Reads the last step
   * of a request first: the worker goes on counting meanwhile, and every request that is counted as ended was
   * counted as started and sent before.
   */
  requests(): RequestCounts[] {
    return this.#names().map(({ name, client }, index) => {
      const slot = rowSlot(index);
      const interrupted = this.#at(slot + 4);
      const failed = this.#at(slot + 3);
      const succeeded = this.#at(slot + 2);
      const sent = this.#at(slot + 1);
      const started = this.#at(slot);
      return { name, client, started, sent, succeeded, failed, interrupted };
    });
  }

  /** Returns how many requests of all names were answered or failed. It does not read the names. */
  endedRequests(): number {
    const [succeeded, failed] = [requestCounters.indexOf("succeeded"), requestCounters.indexOf("failed")];
    const end = rowSlot(this.#at(namesSlot));
    let ended = 0;
    for (let slot = rowSlot(0); slot < end; slot += rowSlots)
      ended += this.#at(slot + succeeded) + this.#at(slot + failed);
    return ended;
  }

  /** Names are only ever added, so those that were read before are kept. */
  #names(): readonly NamedRow[] {
    for (let index = this.#readNames.length; index < this.#at(namesSlot); index++) {
      const slot = rowSlot(index);
      const client = this.#read(slot + clientSlot);
      this.#readNames.push({
        name: asMasked(this.#read(slot + nameSlot)),
        client: client === "" ? null : client,
      });
    }
    return this.#readNames;
  }

  #at(index: number): number {
    return this.#counts[index] ?? 0;
  }

  #add(index: number, amount: number): void {
    this.#counts[index] = this.#at(index) + amount;
  }
}

/** The name of a row, and the client that sends its requests; null for HTTP. */
interface NamedRow {
  readonly name: MaskedText;
  readonly client: string | null;
}

/** The counts of one request name; a handle that can be kept while requests run. */
export class RequestRow {
  readonly name: MaskedText;
  /** The longest time from a request's call to its answer; known in its own thread only. */
  longestWaitMs = 0;
  /**
   * The longest time from a request's call to the last byte of its response; known in its own thread only.
   */
  longestTotalMs = 0;
  readonly #counts: Float64Array;
  readonly #slot: number;

  constructor(counts: Float64Array, slot: number, name: MaskedText) {
    this.#counts = counts;
    this.#slot = slot;
    this.name = name;
  }

  started(): void {
    this.#add(0);
  }
  /** The request's head was written to the socket. */
  sent(): void {
    this.#add(1);
  }
  succeeded(): void {
    this.#add(2);
  }
  failed(): void {
    this.#add(3);
  }
  interrupted(): void {
    this.#add(4);
  }

  #add(offset: number): void {
    const index = this.#slot + offset;
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
  }
}

/** One worker's counters of one scenario; iterations can keep this handle. */
export class ScenarioRow {
  readonly #counts: Float64Array;
  readonly #slot: number;

  constructor(counts: Float64Array, slot: number) {
    this.#counts = counts;
    this.#slot = slot;
  }

  add(counter: ScenarioCounter, amount = 1): void {
    this.#add(scenarioSlots[counter], amount);
  }

  started(): void {
    this.#add(scenarioSlots.started, 1);
  }

  ended(): void {
    this.#add(scenarioSlots.ended, 1);
  }

  get(counter: ScenarioCounter): number {
    return this.#counts[this.#slot + scenarioSlots[counter]] ?? 0;
  }

  #add(offset: number, amount: number): void {
    const index = this.#slot + offset;
    this.#counts[index] = (this.#counts[index] ?? 0) + amount;
  }
}

export interface RequestCounts {
  readonly name: MaskedText;
  /** Null for HTTP. */
  readonly client: string | null;
  readonly started: number;
  readonly sent: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly interrupted: number;
}

const runSlots = {
  iterationsStarted: 0,
  iterationsCompleted: 1,
  iterationsFailed: 2,
  iterationsInterrupted: 3,
  iterationsDropped: 4,
  bytesReceived: 5,
  bytesSent: 6,
  connectionsOpened: 7,
  connectionsClosed: 8,
  vusActive: 9,
  vusInitialized: 10,
  /**
   * `performance.now()` of the worker's last turn of the event loop; if it is seconds old, the thread is
   * blocked.
   */
  heartbeat: 11,
  /** The number in the plan of the scenario whose code ran last. */
  scenarioIndex: 12,
} as const;

export type RunCounter = keyof typeof runSlots;

/** `ended`: completed or failed. */
const scenarioSlots = { started: 0, ended: 1, interrupted: 2, dropped: 3 } as const;
const slotsOfScenario = Object.keys(scenarioSlots).length;

export type ScenarioCounter = keyof typeof scenarioSlots;

const requestCounters = ["started", "sent", "succeeded", "failed", "interrupted"] as const;

/** The name of the row for requests whose names are beyond the limit. */
export const otherName: MaskedText = ownWords`(other)`;
/** The most request names that a worker, and a run, can distinguish. */
export const maxNames = 1000;
const namesSlot = 31;
const headerSlots = 32;
const counterSlots = requestCounters.length;
/** The most clients, HTTP included: each may need a row of `otherName`. */
const maxClients = 17;
/** Counters, then the client and the name, each after its length: room for a name of 256 bytes. */
const rowBytes = 512;
const rowSlots = rowBytes / 8;
const clientSlot = counterSlots;
const nameSlot = clientSlot + 9;
/** The counts of scenarios follow all rows. */
const scenariosSlot = headerSlots + (maxNames + maxClients) * rowSlots;

/** Allocates the memory of one worker's accounting, in a run with this many scenarios. */
export function accountingMemory(scenarios: number): SharedArrayBuffer {
  return new SharedArrayBuffer((scenariosSlot + scenarios * slotsOfScenario) * 8);
}

function keyOf(name: string, client: string): string {
  return `${client}\n${name}`;
}

function rowSlot(index: number): number {
  return headerSlots + index * rowSlots;
}
