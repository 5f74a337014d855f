import type { LeadLink } from "@bearhug/engine/run/run-request";
import { type Clock, every } from "@bearhug/plan/pacing/clock";
import { InvalidInput } from "@bearhug/sdk";

import { maxAgentMessageBytes } from "../wire/connection.ts";
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
import { KeptLink } from "./reconnecting-link.ts";

export interface AgentSessionOptions {
  readonly clock: Clock;
  readonly dial: Dial;
  readonly agentId: string;
  readonly name: string;
  readonly wantedShard: number | null;
  /** How long to try to join a coordinator. */
  readonly joinTimeoutMs: number;
  readonly events: AgentSessionEvents;
}

export interface AgentSessionEvents {
  /** Connected to a coordinator, which already has the first `applied` records. */
  onConnect(applied: number): void;
  onDisconnect(): void;
  /** The coordinator now has the first `applied` records. */
  onApplied(applied: number): void;
  onStop(stop: StopRequest): void;
  /** The coordinator is gone, or no longer accepts this agent. Called once. */
  onOrphaned(reason: string): void;
}

const tickEveryMs = 2000;
/** Leaves room for the rest of the message around the data. */
const maxSetupBytes = maxAgentMessageBytes - 2 ** 20;
/** Clock exchanges before this agent counts as ready. They follow one another without a pause. */
const minExchanges = 5;

const noOrders: Orders = { startAtMs: null, stop: null, areLoadsOver: false };

/** An agent's part in a run. Lives as long as the process, across any number of connections. */
export class AgentSession implements LeadLink {
  readonly #joined = Promise.withResolvers<WelcomeMessage>();
  /** Resolves when this agent has joined for the first time; rejects with InvalidInput if it cannot. */
  readonly joined: Promise<WelcomeMessage> = this.#joined.promise;
  readonly #parts: AgentSessionOptions;
  readonly #link: KeptLink;
  readonly #files: IncomingFiles;
  readonly #startedAtMs: number;
  readonly #endTicks: () => void;
  #welcome: WelcomeMessage | null = null;
  #state: AgentState = { isReady: false, isLoadOver: false };
  #orders = noOrders;
  #clockOffset = new ClockOffset();
  #setupData: string | null = null;
  #hasRunSetup = false;
  #isOrphaned = false;
  #isRefused = false;
  #lastFailure = "it did not answer";
  readonly #waiters = new Set<() => void>();

  constructor(parts: AgentSessionOptions) {
    this.#parts = parts;
    this.#startedAtMs = parts.clock.now();
    this.#link = new KeptLink({ clock: parts.clock, dial: parts.dial, events: this.#linkEvents() });
    this.#files = new IncomingFiles((sha256) => this.#link.send({ type: "want", sha256 }));
    this.#endTicks = every(parts.clock, tickEveryMs, () => {
      this.#requestTime();
      this.#checkCoordinator();
    });
  }

  /** Fetches a file of the job. */
  fetchFile({ sha256 }: { readonly sha256: string }): Promise<Buffer> {
    return this.#files.fetch(sha256);
  }

  /** Reports that this agent is ready. Resolves to the time of the common start, by this agent's clock. */
  async awaitStart(): Promise<number> {
    await this.#until(() => this.#clockOffset.exchanges >= minExchanges);
    this.#updateState({ isReady: true });
    await this.#until(() => this.#orders.startAtMs !== null && this.#clockOffset.exchanges >= minExchanges);
    return (this.#orders.startAtMs ?? 0) - (this.#clockOffset.aheadMs ?? 0);
  }

  /**
   * Sends the data that setup returned on the first shard. @throws {TypeError} if the data are too large for
   * a message
   */
  sendSetupData(text: string): void {
    const bytes = Buffer.byteLength(JSON.stringify(text));
    if (bytes > maxSetupBytes)
      throw new TypeError(
        `the data of setup take ${(bytes / 2 ** 20).toFixed(1)} MiB as JSON, and other agents can be given ${maxSetupBytes / 2 ** 20} MiB: return less, or read it from a feed`,
      );
    this.#hasRunSetup = true;
    this.#setupData = text;
    this.#link.send({ type: "setup-data", text });
  }

  /** Resolves to the data that setup returned on the first shard. */
  async awaitSetupData(): Promise<string> {
    await this.#until(() => this.#setupData !== null);
    return this.#setupData ?? "";
  }

  /**
   * Reports that this agent's load is over. Resolves once that of all agents is, or if the coordinator is
   * gone.
   */
  async awaitLoadsOver(): Promise<void> {
    this.#updateState({ isLoadOver: true });
    await this.#until(() => this.#orders.areLoadsOver || this.#isOrphaned);
  }

  sendBytes(bytes: Uint8Array): Promise<void> {
    return this.#link.sendBytes(bytes);
  }

  /** Reports to the coordinator why this agent cannot run the test. */
  sendProblem(text: string): void {
    this.#link.send({ type: "problem", text });
  }

  /** Reports to the coordinator that a signal ended this agent before it had the test. */
  sendLeave(signal: string): void {
    this.#link.send({ type: "leave", signal });
  }

  /** The time since the last message from the coordinator. */
  get silentMs(): number {
    return this.#link.silentMs;
  }

  /** True if this agent was rejected, or gave up joining. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  close(): void {
    this.#endTicks();
    this.#link.close();
  }

  #linkEvents(): ConstructorParameters<typeof KeptLink>[0]["events"] {
    return {
      onOpen: () => this.#join(),
      onText: (text) => this.#read(text),
      onBytes: (bytes) => this.#files.add(bytes),
      onClose: () => this.#parts.events.onDisconnect(),
      onFailure: (reason) => {
        this.#lastFailure = reason;
      },
      onRefusal: (error) => this.#refuse(error),
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
        this.#acceptWelcome(message);
        break;
      case "refused":
        this.#refuse(new InvalidInput([message.reason]));
        break;
      case "clock": {
        const { sentAtMs, atMs } = message;
        this.#clockOffset.add({ sentAtMs, answeredAtMs: atMs, receivedAtMs: clock.now() });
        if (this.#clockOffset.exchanges < minExchanges) this.#requestTime();
        break;
      }
      case "file":
        this.#files.begin(message.bytes);
        break;
      case "orders":
        this.#applyOrders(message);
        break;
      case "setup-data":
        this.#setupData ??= message.text;
        break;
      case "applied":
        events.onApplied(message.records);
        break;
    }
    for (const check of [...this.#waiters]) check();
  }

  #acceptWelcome(welcome: WelcomeMessage): void {
    const isFirst = this.#welcome === null;
    this.#welcome = welcome;
    // After a reconnection, the coordinator may be another process on another machine, with another clock.
    this.#clockOffset = new ClockOffset();
    this.#requestTime();
    if (this.#hasRunSetup && this.#setupData !== null)
      this.#link.send({ type: "setup-data", text: this.#setupData });
    this.#files.reconnect();
    this.#parts.events.onConnect(welcome.applied);
    this.#applyOrders(welcome.orders);
    if (isFirst) this.#joined.resolve(welcome);
  }

  #applyOrders(orders: Orders): void {
    const before = this.#orders.stop;
    // A coordinator that lost its files no longer knows the start, but this agent does.
    this.#orders = { ...orders, startAtMs: orders.startAtMs ?? this.#orders.startAtMs };
    const { stop } = orders;
    if (stop !== null && stop.interruption !== before?.interruption) this.#parts.events.onStop(stop);
  }

  #updateState(change: Partial<AgentState>): void {
    this.#state = { ...this.#state, ...change };
    this.#link.send({ type: "state", ...this.#state });
  }

  #requestTime(): void {
    const { roundTripMs } = this.#clockOffset;
    this.#link.send({ type: "clock", sentAtMs: this.#parts.clock.now(), roundTripMs });
  }

  #checkCoordinator(): void {
    const { clock, joinTimeoutMs } = this.#parts;
    const welcome = this.#welcome;
    if (welcome === null) {
      if (clock.now() - this.#startedAtMs <= joinTimeoutMs) return;
      const within = `${(joinTimeoutMs / 1000).toFixed(0)} s`;
      const problem = `--join: could not join the coordinator within ${within}: ${this.#lastFailure}.`;
      this.#refuse(new InvalidInput([problem]));
    } else if (this.silentMs > welcome.orphanTimeoutMs) {
      const silence = `${(welcome.orphanTimeoutMs / 1000).toFixed(0)} s`;
      this.#orphan(`the coordinator has been silent for ${silence} (--orphan-timeout)`);
    }
  }

  #refuse(error: InvalidInput): void {
    this.#isRefused = true;
    this.#link.close();
    if (this.#welcome === null) this.#joined.reject(error);
    else this.#orphan(error.problems.join(" "));
  }

  #orphan(reason: string): void {
    if (this.#isOrphaned) return;
    this.#isOrphaned = true;
    this.#parts.events.onOrphaned(reason);
    for (const check of [...this.#waiters]) check();
  }

  #until(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (!condition()) return;
        this.#waiters.delete(check);
        resolve();
      };
      this.#waiters.add(check);
      check();
    });
  }
}
