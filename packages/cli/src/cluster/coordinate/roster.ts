import type { AgentState } from "../wire/messages.ts";

/** An agent's state as shown to users. `lost`: the run ends without the rest of its records. */
export type Standing = "awaited" | "joined" | "ready" | "running" | "silent" | "ended" | "lost";

/** An agent's place in the run, with the shard that it applies. */
export interface Seat {
  readonly agentId: string;
  readonly name: string;
  readonly shard: number;
}

/** An agent that asks to join. */
export interface Applicant {
  readonly agentId: string;
  readonly name: string;
  /** The shard that the agent requests, or already has; null for the first free one. */
  readonly shard: number | null;
  /** True if the agent claims to have joined before. */
  readonly isReturning: boolean;
}

/** A seat that was assigned to an agent. */
export interface AssignedSeat extends Seat {
  /**
   * The id of the agent that had the seat before and vanished before the start; null if the seat was free.
   */
  readonly replaced: string | null;
}

export interface ListedSeat {
  readonly shard: number;
  /** Null until an agent joins. */
  readonly name: string | null;
  readonly standing: Standing;
}

export interface RosterOptions {
  readonly agents: number;
  /** Before the start, an agent that is silent for longer is lost. */
  readonly joinTimeoutMs: number;
  /** An agent that receives nothing for this long ends its load. */
  readonly orphanTimeoutMs: number;
}

/** Agents send a sign of life every 2 s. */
const silentAfterMs = 8000;
/** How long after the end of the load records may still arrive. */
const lostAfterMs = 60_000;

interface Member {
  readonly shard: number;
  /** Null until the agent joins. */
  agentId: string | null;
  name: string | null;
  state: AgentState;
  lastSeenAtMs: number;
  /** The time when the agent's load was over; null before. */
  loadOverAtMs: number | null;
  isConnected: boolean;
  hasEnded: boolean;
  isLost: boolean;
}

/**
 * The agents of a run, and the standing of each. Callers pass the time, in milliseconds of any steady clock.
 */
export class Roster {
  readonly #options: RosterOptions;
  readonly #members: readonly Member[];
  #hasStarted = false;

  /** @param seats the seats of a resumed run, whose agents are expected back */
  constructor(options: RosterOptions, nowMs: number, seats: readonly Seat[] = []) {
    this.#options = options;
    this.#members = Array.from({ length: options.agents }, (_, shard) => ({
      shard,
      agentId: null,
      name: null,
      ...seats.find((seat) => seat.shard === shard),
      state: { isReady: false, isLoadOver: false },
      lastSeenAtMs: nowMs,
      loadOverAtMs: null,
      isConnected: false,
      hasEnded: false,
      isLost: false,
    }));
  }

  /**
   * Returns the seat of an agent that joins, for the first time or again; null if none is available. Before
   * the start, an agent that vanished loses its seat to another.
   * @param mayReplace returns false for a shard whose first agent did something that another cannot take over
   */
  join(
    { agentId, name, shard, isReturning }: Applicant,
    nowMs: number,
    mayReplace: (shard: number) => boolean = () => true,
  ): AssignedSeat | null {
    const matchesShard = (one: Member): boolean => shard === null || one.shard === shard;
    const isVacated = (one: Member): boolean =>
      !this.#hasStarted && !one.hasEnded && isSilent(one, nowMs) && mayReplace(one.shard);
    const known = this.#find(agentId);
    const member =
      known ??
      this.#members.find((one) => one.agentId === null && matchesShard(one)) ??
      this.#members.find((one) => matchesShard(one) && isVacated(one));
    if (member === undefined) return null;
    const isNew = member.agentId === null && !isReturning;
    if (isNew && this.#hasStarted) return null;
    const replaced = known === undefined ? member.agentId : null;
    if (replaced !== null) member.state = { isReady: false, isLoadOver: false };
    Object.assign(member, { agentId, name, lastSeenAtMs: nowMs, isConnected: true, isLost: false });
    return { agentId, name, shard: member.shard, replaced };
  }

  /** Notes a sign of life. */
  noteSignOfLife(agentId: string, nowMs: number): void {
    this.#change(agentId, { lastSeenAtMs: nowMs });
  }

  updateState(agentId: string, state: AgentState, nowMs: number): void {
    this.#change(agentId, { state, lastSeenAtMs: nowMs });
    if (state.isLoadOver) this.#endLoad(agentId, nowMs);
  }

  /** Notes that an agent's connection is closed. */
  leave(agentId: string): void {
    this.#change(agentId, { isConnected: false });
  }

  /** Notes that the last record of an agent is applied. */
  end(agentId: string, nowMs: number): void {
    this.#change(agentId, { hasEnded: true, isLost: false });
    this.#endLoad(agentId, nowMs);
  }

  /** Notes that the start is decided: no new agent can join. */
  start(): void {
    this.#hasStarted = true;
  }

  /** Marks agents as lost that are overdue, and returns the newly lost ones. */
  loseOverdue(nowMs: number): readonly ListedSeat[] {
    return this.#lose((one) => this.#isOverdue(one, nowMs));
  }

  /** Marks all silent agents as lost, and returns the newly lost ones. */
  giveUpAbsent(nowMs: number): readonly ListedSeat[] {
    return this.#lose((one) => isSilent(one, nowMs));
  }

  #lose(isLostNow: (member: Member) => boolean): readonly ListedSeat[] {
    const found = this.#members.filter((one) => isExpected(one) && isLostNow(one));
    for (const one of found) one.isLost = true;
    return found.map(({ shard, name }) => ({ shard, name, standing: "lost" }));
  }

  #isOverdue(member: Member, nowMs: number): boolean {
    if (!isSilent(member, nowMs)) return false;
    const { joinTimeoutMs, orphanTimeoutMs } = this.#options;
    if (!this.#hasStarted) return nowMs - member.lastSeenAtMs > joinTimeoutMs;
    const others = this.#members.filter((one) => isExpected(one) && !isSilent(one, nowMs));
    if (others.some(({ loadOverAtMs }) => loadOverAtMs === null)) return false;
    const ends = this.#members.flatMap(({ loadOverAtMs }) => loadOverAtMs ?? []);
    // All agents have the same plan, so this agent's load ends with that of the others. If none has ended,
    // this agent ends its load as an orphan.
    const overAtMs =
      ends.length === 0 ? member.lastSeenAtMs + orphanTimeoutMs : Math.max(member.lastSeenAtMs, ...ends);
    return nowMs - overAtMs > lostAfterMs;
  }

  /** True once every agent, except lost ones, is ready for the start. */
  get areAllReady(): boolean {
    const present = this.#members.filter(({ isLost }) => !isLost);
    return present.length > 0 && present.every(({ state }) => state.isReady);
  }

  /** True once the load of every agent, except lost ones, is over. */
  get areLoadsOver(): boolean {
    return this.#members.every(({ loadOverAtMs, isLost }) => loadOverAtMs !== null || isLost);
  }

  /** True once nothing more is expected of any agent. */
  get isOver(): boolean {
    return !this.#members.some(isExpected);
  }

  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  /** The occupied seats. */
  get seats(): readonly Seat[] {
    return this.#members.flatMap(({ agentId, name, shard }) =>
      agentId === null || name === null ? [] : [{ agentId, name, shard }],
    );
  }

  /** Returns all seats, in the order of shards. */
  list(nowMs: number): readonly ListedSeat[] {
    return this.#members.map((member) => ({
      shard: member.shard,
      name: member.name,
      standing: standingOf(member, this.#hasStarted, nowMs),
    }));
  }

  #find(agentId: string): Member | undefined {
    return this.#members.find((member) => member.agentId === agentId);
  }

  #change(agentId: string, changes: Partial<Member>): void {
    const member = this.#find(agentId);
    if (member !== undefined) Object.assign(member, changes);
  }

  #endLoad(agentId: string, nowMs: number): void {
    const member = this.#find(agentId);
    if (member !== undefined) member.loadOverAtMs ??= nowMs;
  }
}

/** True if more is expected of the agent. */
function isExpected({ hasEnded, isLost }: Member): boolean {
  return !hasEnded && !isLost;
}

function isSilent({ isConnected, lastSeenAtMs }: Member, nowMs: number): boolean {
  return !isConnected || nowMs - lastSeenAtMs > silentAfterMs;
}

function standingOf(member: Member, hasStarted: boolean, nowMs: number): Standing {
  if (member.hasEnded) return "ended";
  if (member.isLost) return "lost";
  if (member.agentId === null) return "awaited";
  if (isSilent(member, nowMs)) return "silent";
  if (!member.state.isReady) return "joined";
  return hasStarted ? "running" : "ready";
}
