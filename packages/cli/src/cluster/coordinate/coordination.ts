import { every, type Clock } from "@bearhug/plan/pacing/clock";
import { InvalidInput } from "@bearhug/sdk";

import type { Connection, ConnectionEvents } from "../wire/connection.ts";
import type { JoinMessage, Orders, PostedRecord, SetupDataMessage, StopRequest } from "../wire/messages.ts";
import { AgentChannel, type ChannelMessage } from "./agent-channel.ts";
import { PartFile, type AppliedRecord } from "./part-file.ts";
import { Roster, type Seat, type ListedSeat, type RosterOptions } from "./roster.ts";
import type { KeptState, RunFolder } from "./run-folder.ts";
import type { PackedJob } from "../job/pack-job.ts";
import type { ShardsWatch } from "./watch-shards.ts";

interface Joined {
  readonly seat: Seat;
  readonly channel: AgentChannel;
  roundTripMs: number;
}

/**
 * The start is this long ahead, plus some round trips of the slowest agent, so that the order reaches every
 * agent in time.
 */
const leadMs = 500;
const leadRoundTrips = 5;

/** Coordinates a run of several agents, from the first that joins to the last record. */
export class Coordination {
  readonly #over: PromiseWithResolvers<void> = Promise.withResolvers();
  /** Resolves when nothing more is expected of any agent; rejects if the coordinator cannot continue. */
  readonly over: Promise<void> = this.#over.promise;
  readonly #parts: CoordinationDependencies;
  readonly #roster: Roster;
  /**
   * By shard. Includes files that are still being opened, so that an agent that reconnects meanwhile gets the
   * same file.
   */
  readonly #files = new Map<number, Promise<PartFile>>();
  readonly #joined = new Map<string, Joined>();
  readonly #endTicks: () => void;
  #state: KeptState;
  #standings = "";
  #sentOrders = "";
  #isClosed = false;

  private constructor(parts: CoordinationDependencies) {
    this.#parts = parts;
    this.#state = parts.state;
    this.#roster = new Roster(parts, parts.clock.now(), parts.state.seats);
    this.#endTicks = every(parts.clock, 1000, () => this.#review());
  }

  /** Begins a new run, or resumes one whose coordinator died, from the state of its folder. */
  static async begin(parts: CoordinationDependencies): Promise<Coordination> {
    const coordination = new Coordination(parts);
    const { seats, startAtMs } = parts.state;
    for (const seat of seats) await coordination.#open(seat);
    if (startAtMs !== null) coordination.#start(startAtMs);
    await parts.folder.save(parts.state);
    coordination.#review();
    return coordination;
  }

  /** Accepts a connection from an agent that has proved that it knows the token. */
  accept(open: () => Connection): ConnectionEvents {
    const { clock } = this.#parts;
    let joined: Joined | null = null;
    const channel = new AgentChannel(open, () => clock.date().getTime(), {
      handle: async (message) => {
        if (this.#isClosed) return;
        if (message.type === "join") joined = await this.#join(message, channel);
        else if (joined === null) throw new InvalidInput(["The agent has not joined."]);
        else await this.#handle(joined, message);
        this.#review();
      },
      onClock: (roundTripMs) => {
        if (joined === null) return;
        joined.roundTripMs = roundTripMs ?? joined.roundTripMs;
        this.#roster.noteSignOfLife(joined.seat.agentId, clock.now());
      },
      onClose: () => {
        // A newer connection of this agent may have replaced this one.
        if (joined === null || this.#joined.get(joined.seat.agentId) !== joined) return;
        this.#joined.delete(joined.seat.agentId);
        this.#roster.leave(joined.seat.agentId);
        this.#review();
      },
      onFailure: (error) => this.#fail(error),
    });
    return channel;
  }

  /** Ends the run early. A later request replaces an earlier one, unless that was urgent. */
  stop(stop: StopRequest): void {
    if (this.#state.stop?.interruption === "urgent") return;
    this.#change({ stop });
    this.#review();
  }

  /** The state that another coordinator needs to resume the run. */
  get state(): KeptState {
    return this.#state;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#endTicks();
    for (const { channel } of this.#joined.values()) channel.close();
    const opened = Array.from(this.#files.values(), (file) => file.catch(() => null));
    await Promise.all(opened.map(async (file) => (await file)?.close()));
    await this.#parts.folder.settle();
  }

  async #join(message: JoinMessage, channel: AgentChannel): Promise<Joined> {
    const { clock, job, orphanTimeoutMs, agents } = this.#parts;
    const { agentId, name, claim } = message;
    const { runId } = this.#state;
    if (claim !== null && claim.runId !== runId)
      throw new InvalidInput([`The coordinator runs another test now: ${runId} instead of ${claim.runId}.`]);
    const applicant = {
      agentId,
      name,
      shard: claim?.shard ?? message.wantedShard,
      isReturning: claim !== null,
    };
    const given = this.#roster.join(applicant, clock.now(), (shard) => this.#mayReplace(shard));
    if (given === null) throw new InvalidInput([this.#refusal(message)]);
    const { replaced, ...seat } = given;
    if (replaced !== null) await this.#vacate(seat.shard, replaced);
    this.#roster.updateState(agentId, message, clock.now());
    this.#joined.get(agentId)?.channel.close();
    const joined = { seat, channel, roundTripMs: 0 };
    this.#joined.set(agentId, joined);
    const file = await this.#open(seat);
    if (!this.#state.seats.some((known) => known.agentId === agentId))
      this.#change({ seats: this.#roster.seats });
    // A coordinator that lost its files learns the start from its agents.
    if (claim !== null && claim.startAtMs !== null && this.#state.startAtMs === null)
      this.#start(claim.startAtMs);
    if (message.isLoadOver) this.#callOff(seat);
    channel.send({
      type: "welcome",
      runId,
      orphanTimeoutMs,
      applied: file.applied,
      job: job.description,
      orders: this.#orders(),
      shard: { index: seat.shard, count: agents },
    });
    const { setupData } = this.#state;
    if (setupData !== null && seat.shard > 0) channel.send({ type: "setup-data", text: setupData });
    return joined;
  }

  /**
   * True if another agent may take over a vanished agent's shard. Setup data are tied to the agent that ran
   * setup, and a run that is ending needs no more agents.
   */
  #mayReplace(shard: number): boolean {
    const { setupData, stop } = this.#state;
    return stop === null && (shard > 0 || setupData === null);
  }

  /** Discards the records of an agent that vanished before the start. */
  async #vacate(shard: number, agentId: string): Promise<void> {
    this.#joined.get(agentId)?.channel.close();
    this.#joined.delete(agentId);
    const file = await this.#files.get(shard);
    this.#files.delete(shard);
    await file?.remove();
  }

  #refusal({ wantedShard }: JoinMessage): string {
    const { agents } = this.#parts;
    if (wantedShard !== null && wantedShard >= agents)
      return `There is no shard ${wantedShard + 1} in this run (--agents ${agents}).`;
    if (this.#roster.hasStarted) return "The run has started without this agent.";
    return wantedShard === null
      ? `This run has all of its agents (--agents ${agents}).`
      : `Shard ${wantedShard + 1} belongs to another agent.`;
  }

  async #handle(
    { seat, channel }: Joined,
    message: Exclude<ChannelMessage, { type: "join" }>,
  ): Promise<void> {
    const { clock, events, job } = this.#parts;
    switch (message.type) {
      case "state":
        this.#roster.updateState(seat.agentId, message, clock.now());
        if (message.isLoadOver) this.#callOff(seat);
        break;
      case "record":
        await this.#apply(seat, message.record, channel);
        break;
      case "want": {
        const file = job.files.find(({ sha256 }) => sha256 === message.sha256);
        if (file === undefined)
          throw new InvalidInput(["The agent asks for a file that the test does not have."]);
        await channel.sendFile(file.sha256, await job.read(file));
        break;
      }
      case "setup-data":
        this.#forwardSetupData(message);
        break;
      case "problem":
        events.onProblem(seat, message.text);
        this.#end(seat);
        break;
      case "leave":
        this.#end(seat, `${seat.name}, which received ${message.signal}`);
        break;
    }
  }

  async #apply(seat: Seat, record: PostedRecord, channel: AgentChannel): Promise<void> {
    const file = await this.#files.get(seat.shard);
    if (file === undefined) return;
    const applied = await file.apply(record);
    if (applied !== null) this.#follow(seat, applied);
    channel.send({ type: "applied", records: file.applied });
  }

  /** Opens the recording of an agent, and first replays the records that it holds from before a restart. */
  #open(seat: Seat): Promise<PartFile> {
    const known = this.#files.get(seat.shard);
    if (known !== undefined) return known;
    const file = PartFile.open(this.#parts.folder.part(seat.shard), (record) => this.#follow(seat, record));
    this.#files.set(seat.shard, file);
    return file;
  }

  #follow(seat: Seat, record: AppliedRecord): void {
    const { watch } = this.#parts;
    if (record.kind === "head") {
      watch.begin(seat.shard, seat.name, record.run);
      return;
    }
    watch.add(seat.shard, record.moment);
    if (record.moment.isEnd) this.#end(seat);
  }

  /** Ends an agent's part: nothing more is expected of it. */
  #end(seat: Seat, reason?: string): void {
    this.#parts.watch.end(seat.shard);
    this.#roster.end(seat.agentId, this.#parts.clock.now());
    this.#callOff(seat, reason);
  }

  /**
   * Ends the run, unless it has started, because an agent will apply no load: the others would wait for it
   * forever. The agent itself may wait, too: for the others' end, to tear down.
   */
  #callOff(seat: Seat, reason = `the coordinator, because ${seat.name} ended before the start`): void {
    if (!this.#roster.hasStarted && this.#state.stop === null)
      this.stop({ reason, interruption: "graceful" });
  }

  #forwardSetupData(message: SetupDataMessage): void {
    if (this.#state.setupData !== null) return;
    this.#change({ setupData: message.text });
    for (const { seat, channel } of this.#joined.values()) if (seat.shard > 0) channel.send(message);
  }

  /** Checks everything that may have changed, and acts on it. */
  #review(): void {
    const { clock, events, allowsPartial, watch } = this.#parts;
    const nowMs = clock.now();
    const shouldWait =
      this.#state.stop === null || (this.#roster.hasStarted && this.#state.stop.interruption !== "urgent");
    const lost = shouldWait ? this.#roster.loseOverdue(nowMs) : this.#roster.giveUpAbsent(nowMs);
    for (const { shard } of lost) watch.end(shard);
    if (!this.#roster.hasStarted && this.#state.stop === null) {
      if (lost.length > 0 && !allowsPartial) {
        events.onMissing(lost);
        this.stop({ reason: "the coordinator, because agents are missing", interruption: "graceful" });
        return;
      }
      if (this.#roster.areAllReady) this.#start(clock.date().getTime() + this.#leadMs());
    }
    this.#sendOrders();
    this.#reportStandings(nowMs);
    if (this.#roster.isOver) this.#over.resolve();
  }

  #leadMs(): number {
    const slowestMs = Math.max(0, ...Array.from(this.#joined.values(), ({ roundTripMs }) => roundTripMs));
    return leadMs + leadRoundTrips * slowestMs;
  }

  #start(startAtMs: number): void {
    this.#roster.start();
    if (this.#state.startAtMs !== startAtMs) this.#change({ startAtMs });
    this.#parts.watch.start(startAtMs);
  }

  #orders(): Orders {
    const { startAtMs, stop } = this.#state;
    return { startAtMs, stop, areLoadsOver: this.#roster.areLoadsOver };
  }

  #sendOrders(): void {
    const orders = this.#orders();
    const text = JSON.stringify(orders);
    if (text === this.#sentOrders) return;
    this.#sentOrders = text;
    for (const { channel } of this.#joined.values()) channel.send({ type: "orders", ...orders });
  }

  #reportStandings(nowMs: number): void {
    const agents = this.#roster.list(nowMs);
    const standings = JSON.stringify(agents);
    if (standings === this.#standings) return;
    this.#standings = standings;
    this.#parts.events.onStandings(agents);
  }

  #change(changes: Partial<KeptState>): void {
    this.#state = { ...this.#state, ...changes };
    this.#parts.folder.save(this.#state).catch((error: unknown) => this.#fail(error));
  }

  /**
   * Ends the run because the coordinator cannot continue. If its disk is the cause, the agents still have all
   * records.
   */
  #fail(error: unknown): void {
    if (!(error instanceof Error && "syscall" in error)) {
      this.#over.reject(error);
      return;
    }
    const { path } = this.#parts.folder;
    const problem = `${path}: cannot be written: ${error.message}. The agents keep their records: fix this, then continue with --resume ${path}.`;
    this.#over.reject(new InvalidInput([problem], { cause: error }));
  }
}

/** The inputs of a run's coordination. */
interface CoordinationDependencies extends RosterOptions {
  readonly clock: Clock;
  /** The state to begin with; saved on each change. */
  readonly state: KeptState;
  readonly folder: RunFolder;
  readonly job: PackedJob;
  /** True to start the load without agents that are lost before it. */
  readonly allowsPartial: boolean;
  readonly watch: Pick<ShardsWatch, "begin" | "add" | "end" | "start">;
  readonly events: CoordinationEvents;
}

interface CoordinationEvents {
  /** Called whenever the standing of an agent has changed. */
  onStandings(agents: readonly ListedSeat[]): void;
  /** Called when an agent cannot run the test. */
  onProblem(seat: Seat, text: string): void;
  /** Called when the run cannot start, because these agents are missing. */
  onMissing(agents: readonly ListedSeat[]): void;
}
