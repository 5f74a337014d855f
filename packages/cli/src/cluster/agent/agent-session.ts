import type { Lead } from "@bearhug/engine/run/run-request";
import { type Clock, every } from "@bearhug/plan/pacing/clock";
import { InvalidInput } from "@bearhug/sdk";

import { mostFromAgentBytes } from "../wire/connection.ts";
import { ClockOffset } from "../wire/clock-offset.ts";
import type { Dial } from "../wire/dial.ts";
import {
  readFromCoordinator,
  type AgentState,
  type FromCoordinator,
  type Orders,
  type StopRequest,
  type WelcomeMessage,
} from "../wire/messages.ts";
import { IncomingFiles } from "./incoming-files.ts";
import { KeptLink } from "./kept-link.ts";

export interface AgentSessionOptions {
  readonly clock: Clock;
  readonly dial: Dial;
  readonly agentId: string;
  readonly name: string;
  readonly wantedShard: number | null;
  /** The time in which a coordinator must be found. */
  readonly joinTimeoutMs: number;
  readonly events: AgentSessionEvents;
}

export interface AgentSessionEvents {
  /** There is a connection to a coordinator that has the first `applied` records. */
  onConnect(applied: number): void;
  onDisconnect(): void;
  /** The coordinator has the first `applied` records. */
  onApplied(applied: number): void;
  onStop(stop: StopRequest): void;
  /** The coordinator is gone, or does not know this agent any more. Once. */
  onOrphaned(reason: string): void;
}

const askEveryMs = 2000;
/** Leaves room for what surrounds the data in a message. */
const mostSetupBytes = mostFromAgentBytes - 2 ** 20;
/** Exchanges of clocks before this agent is ready. They follow each other at once. */
const leastExchanges = 5;

const noOrders: Orders = { startAtMs: null, stop: null, areLoadsOver: false };

/** An agent's part in a run, as long as the process lives: through any number of connections. */
export class AgentSession implements Lead {
  /** Resolves when this agent first takes part; rejects with InvalidInput if it cannot. */
  readonly joined: Promise<WelcomeMessage>;
  readonly #parts: AgentSessionOptions;
  readonly #link: KeptLink;
  readonly #files: IncomingFiles;
  readonly #startedAtMs: number;
  readonly #endTicks: () => void;
  #resolveJoined: (welcome: WelcomeMessage) => void = () => undefined;
  #rejectJoined: (error: InvalidInput) => void = () => undefined;
  #welcome: WelcomeMessage | null = null;
  #state: AgentState = { isReady: false, isLoadOver: false };
  #orders = noOrders;
  #clockOffset = new ClockOffset();
  #setupData: string | null = null;
  #hasSetupDataOfOwn = false;
  #isOrphaned = false;
  #isRefused = false;
  #lastFailure = "it did not answer";
  readonly #waiting = new Set<() => void>();

  constructor(parts: AgentSessionOptions) {
    this.#parts = parts;
    this.#startedAtMs = parts.clock.now();
    this.joined = new Promise((resolve, reject) => {
      this.#resolveJoined = resolve;
      this.#rejectJoined = reject;
    });
    this.#link = new KeptLink({ clock: parts.clock, dial: parts.dial, events: this.#linkEvents() });
    this.#files = new IncomingFiles((sha256) => {
      this.#link.send({ type: "want", sha256 });
    });
    this.#endTicks = every(parts.clock, askEveryMs, () => {
      this.#askForTime();
      this.#lookAfterCoordinator();
    });
  }

  /** Fetches a file of the job. */
  fetchFile({ sha256 }: { readonly sha256: string }): Promise<Buffer> {
    return this.#files.want(sha256);
  }

  /** This agent is ready. Resolves to the time of the common start, by its own clock. */
  async awaitStart(): Promise<number> {
    await this.#until(() => this.#clockOffset.exchanges >= leastExchanges);
    this.#tell({ isReady: true });
    await this.#until(() => this.#orders.startAtMs !== null && this.#clockOffset.exchanges >= leastExchanges);
    return (this.#orders.startAtMs ?? 0) - (this.#clockOffset.aheadMs ?? 0);
  }

  /** Sends the data that setup returned on the first shard. @throws {TypeError} for data that no message holds */
  sendSetupData(text: string): void {
    const bytes = Buffer.byteLength(JSON.stringify(text));
    if (bytes > mostSetupBytes)
      throw new TypeError(
        `the data of setup take ${(bytes / 2 ** 20).toFixed(1)} MiB as JSON, and other agents can be given ${mostSetupBytes / 2 ** 20} MiB: return less, or read it from a feed`,
      );
    this.#hasSetupDataOfOwn = true;
    this.#setupData = text;
    this.#link.send({ type: "setup-data", text });
  }

  /** Resolves to the data that setup returned on the first shard. */
  async awaitSetupData(): Promise<string> {
    await this.#until(() => this.#setupData !== null);
    return this.#setupData ?? "";
  }

  /** The load of this agent is over. Resolves once that of every other agent is, or nobody can tell. */
  async awaitLoadsOver(): Promise<void> {
    this.#tell({ isLoadOver: true });
    await this.#until(() => this.#orders.areLoadsOver || this.#isOrphaned);
  }

  sendBytes(bytes: Uint8Array): Promise<void> {
    return this.#link.sendBytes(bytes);
  }

  /** Tells the coordinator why this agent cannot run the test. */
  tellProblem(text: string): void {
    this.#link.send({ type: "problem", text });
  }

  /** Tells the coordinator that a signal ends this agent before it has the test. */
  tellLeave(signal: string): void {
    this.#link.send({ type: "leave", signal });
  }

  /** The time since the coordinator was heard of. */
  get silentMs(): number {
    return this.#link.silentMs;
  }

  /** True if the coordinator wants no more of this agent. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  close(): void {
    this.#endTicks();
    this.#link.close();
  }

  #linkEvents(): ConstructorParameters<typeof KeptLink>[0]["events"] {
    return {
      onOpen: () => {
        this.#join();
      },
      onText: (text) => {
        this.#read(text);
      },
      onBytes: (bytes) => {
        this.#files.add(bytes);
      },
      onClose: () => {
        this.#parts.events.onDisconnect();
      },
      onFailure: (reason) => {
        this.#lastFailure = reason;
      },
      onRefusal: (error) => {
        this.#refuse(error);
      },
    };
  }

  #join(): void {
    const { agentId, name, wantedShard } = this.#parts;
    const welcome = this.#welcome;
    const { startAtMs } = this.#orders;
    const claim = welcome && { runId: welcome.runId, shard: welcome.shard.index, startAtMs };
    this.#link.send({ type: "join", agentId, name, wantedShard, claim, ...this.#state });
  }

  #read(text: string): void {
    try {
      this.#handle(readFromCoordinator(text));
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      this.#refuse(error);
    }
  }

  #handle(message: FromCoordinator): void {
    const { clock, events } = this.#parts;
    switch (message.type) {
      case "welcome":
        this.#enter(message);
        break;
      case "refused":
        this.#refuse(new InvalidInput([message.reason]));
        break;
      case "clock": {
        const { sentAtMs, atMs } = message;
        this.#clockOffset.add({ sentAtMs, answeredAtMs: atMs, receivedAtMs: clock.now() });
        if (this.#clockOffset.exchanges < leastExchanges) this.#askForTime();
        break;
      }
      case "file":
        this.#files.begin(message.bytes);
        break;
      case "orders":
        this.#obey(message);
        break;
      case "setup-data":
        this.#setupData ??= message.text;
        break;
      case "applied":
        events.onApplied(message.records);
        break;
    }
    for (const look of [...this.#waiting]) look();
  }

  #enter(welcome: WelcomeMessage): void {
    const isFirst = this.#welcome === null;
    this.#welcome = welcome;
    // Another process may answer now, on another machine.
    this.#clockOffset = new ClockOffset();
    this.#askForTime();
    if (this.#hasSetupDataOfOwn && this.#setupData !== null)
      this.#link.send({ type: "setup-data", text: this.#setupData });
    this.#files.reconnect();
    this.#parts.events.onConnect(welcome.applied);
    this.#obey(welcome.orders);
    if (isFirst) this.#resolveJoined(welcome);
  }

  #obey(orders: Orders): void {
    const before = this.#orders.stop;
    // A coordinator that lost its files does not know the start any more; this agent does.
    this.#orders = { ...orders, startAtMs: orders.startAtMs ?? this.#orders.startAtMs };
    const { stop } = orders;
    if (stop !== null && stop.interruption !== before?.interruption) this.#parts.events.onStop(stop);
  }

  #tell(change: Partial<AgentState>): void {
    this.#state = { ...this.#state, ...change };
    this.#link.send({ type: "state", ...this.#state });
  }

  #askForTime(): void {
    const { roundTripMs } = this.#clockOffset;
    this.#link.send({ type: "clock", sentAtMs: this.#parts.clock.now(), roundTripMs });
  }

  #lookAfterCoordinator(): void {
    const { clock, joinTimeoutMs } = this.#parts;
    const welcome = this.#welcome;
    if (welcome === null) {
      if (clock.now() - this.#startedAtMs <= joinTimeoutMs) return;
      const within = `${(joinTimeoutMs / 1000).toFixed(0)} s`;
      const problem = `--join: could not join the coordinator within ${within}: ${this.#lastFailure}.`;
      this.#refuse(new InvalidInput([problem]));
    } else if (this.silentMs > welcome.orphanTimeoutMs) {
      const silence = `${(welcome.orphanTimeoutMs / 1000).toFixed(0)} s`;
      this.#orphan(`the coordinator was not heard of for ${silence} (--orphan-timeout)`);
    }
  }

  #refuse(error: InvalidInput): void {
    this.#isRefused = true;
    this.#link.close();
    if (this.#welcome === null) this.#rejectJoined(error);
    else this.#orphan(error.problems.join(" "));
  }

  #orphan(reason: string): void {
    if (this.#isOrphaned) return;
    this.#isOrphaned = true;
    this.#parts.events.onOrphaned(reason);
    for (const look of [...this.#waiting]) look();
  }

  #until(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!condition()) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }
}
