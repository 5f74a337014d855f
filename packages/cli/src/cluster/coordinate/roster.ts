import type { AgentState } from "../wire/messages.ts";

/** An agent as people are shown it. `lost`: the run ends without the rest of its records. */
export type Standing = "awaited" | "joined" | "ready" | "running" | "silent" | "ended" | "lost";

/** The place of an agent in the run: which shard it applies. */
export interface Seat {
  readonly agentId: string;
  readonly name: string;
  readonly shard: number;
}

/** An agent that wants to take part. */
export interface Applicant {
  readonly agentId: string;
  readonly name: string;
  /** The shard that it is to have, or has had from the beginning; null for the first that is free. */
  readonly shard: number | null;
  /** It says that it takes part already. */
  readonly isReturning: boolean;
}

/** A seat that an agent is given. */
export interface GivenSeat extends Seat {
  /** The agent that had it before, and vanished before the start; null for a free one. */
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
  /** An agent that was not heard of for so long before the start is lost. */
  readonly joinTimeoutMs: number;
  /** An agent that hears nothing ends its load after this time. */
  readonly orphanTimeoutMs: number;
}

/** Agents give a sign of life every 2 s. */
const silentAfterMs = 8000;
/** Records may still come for so long after the end of the load. */
const lostAfterMs = 60_000;

interface Member {
  readonly shard: number;
  /** Null until it joins. */
  agentId: string | null;
  name: string | null;
  state: AgentState;
  heardAtMs: number;
  /** The time when its load was over; null before. */
  loadOverAtMs: number | null;
  isConnected: boolean;
  hasEnded: boolean;
  isLost: boolean;
}

/** The agents of a run, and the standing of each. Time is given to it, in milliseconds of any steady clock. */
export class Roster {
  readonly #options: RosterOptions;
  readonly #members: readonly Member[];
  #hasStarted = false;

  /** @param seats of a run that is resumed: its agents are expected back */
  constructor(options: RosterOptions, nowMs: number, seats: readonly Seat[] = []) {
    this.#options = options;
    this.#members = Array.from({ length: options.agents }, (_, shard) => ({
      shard,
      agentId: null,
      name: null,
      ...seats.find((seat) => seat.shard === shard),
      state: { isReady: false, isLoadOver: false },
      heardAtMs: nowMs,
      loadOverAtMs: null,
      isConnected: false,
      hasEnded: false,
      isLost: false,
    }));
  }

  /**
   * Returns the seat of an agent that joins, for the first time or again; null if there is none for it. Before the start, one that
   * vanished loses its seat to another.
   * @param mayReplace false for a shard whose first agent did something that another cannot take up
   */
  join(
    { agentId, name, shard, isReturning }: Applicant,
    nowMs: number,
    mayReplace: (shard: number) => boolean = () => true,
  ): GivenSeat | null {
    const isFitting = (one: Member): boolean => shard === null || one.shard === shard;
    const isVacated = (one: Member): boolean =>
      !this.#hasStarted && !one.hasEnded && isSilent(one, nowMs) && mayReplace(one.shard);
    const known = this.#find(agentId);
    const member =
      known ??
      this.#members.find((one) => one.agentId === null && isFitting(one)) ??
      this.#members.find((one) => isFitting(one) && isVacated(one));
    if (member === undefined) return null;
    const isNew = member.agentId === null && !isReturning;
    if (isNew && this.#hasStarted) return null;
    const replaced = known === undefined ? member.agentId : null;
    if (replaced !== null) member.state = { isReady: false, isLoadOver: false };
    Object.assign(member, { agentId, name, heardAtMs: nowMs, isConnected: true, isLost: false });
    return { agentId, name, shard: member.shard, replaced };
  }

  /** A sign of life. */
  hear(agentId: string, nowMs: number): void {
    this.#change(agentId, { heardAtMs: nowMs });
  }

  tell(agentId: string, state: AgentState, nowMs: number): void {
    this.#change(agentId, { state, heardAtMs: nowMs });
    if (state.isLoadOver) this.#endLoad(agentId, nowMs);
  }

  /** Its connection is closed. */
  leave(agentId: string): void {
    this.#change(agentId, { isConnected: false });
  }

  /** The last of its records is applied. */
  end(agentId: string, nowMs: number): void {
    this.#change(agentId, { hasEnded: true, isLost: false });
    this.#endLoad(agentId, nowMs);
  }

  /** The start is decided: nobody new can join. */
  start(): void {
    this.#hasStarted = true;
  }

  /** Finds agents that need not be waited for any longer, and returns those that are lost from now on. */
  loseOverdue(nowMs: number): readonly ListedSeat[] {
    return this.#lose((one) => this.#isOverdue(one, nowMs));
  }

  /** Waits no longer for agents that are not there. */
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
    if (!this.#hasStarted) return nowMs - member.heardAtMs > joinTimeoutMs;
    const others = this.#members.filter((one) => isExpected(one) && !isSilent(one, nowMs));
    if (others.some(({ loadOverAtMs }) => loadOverAtMs === null)) return false;
    const ends = this.#members.flatMap(({ loadOverAtMs }) => loadOverAtMs ?? []);
    // All of them have one plan: its own load is over when that of another is. If that of none is, it ends as an orphan.
    const overAtMs =
      ends.length === 0 ? member.heardAtMs + orphanTimeoutMs : Math.max(member.heardAtMs, ...ends);
    return nowMs - overAtMs > lostAfterMs;
  }

  /** True once every agent that is not lost waits for the start. */
  get areAllReady(): boolean {
    const present = this.#members.filter(({ isLost }) => !isLost);
    return present.length > 0 && present.every(({ state }) => state.isReady);
  }

  /** True once no agent that is not lost applies load. */
  get areLoadsOver(): boolean {
    return this.#members.every(({ loadOverAtMs, isLost }) => loadOverAtMs !== null || isLost);
  }

  /** True once nothing more is expected of anyone. */
  get isOver(): boolean {
    return !this.#members.some(isExpected);
  }

  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  /** The seats that are taken. */
  get seats(): readonly Seat[] {
    return this.#members.flatMap(({ agentId, name, shard }) =>
      agentId === null || name === null ? [] : [{ agentId, name, shard }],
    );
  }

  /** In the order of shards. */
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

/** More is to come of it. */
function isExpected({ hasEnded, isLost }: Member): boolean {
  return !hasEnded && !isLost;
}

function isSilent({ isConnected, heardAtMs }: Member, nowMs: number): boolean {
  return !isConnected || nowMs - heardAtMs > silentAfterMs;
}

function standingOf(member: Member, hasStarted: boolean, nowMs: number): Standing {
  if (member.hasEnded) return "ended";
  if (member.isLost) return "lost";
  if (member.agentId === null) return "awaited";
  if (isSilent(member, nowMs)) return "silent";
  if (!member.state.isReady) return "joined";
  return hasStarted ? "running" : "ready";
}
