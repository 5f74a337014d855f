import type { RecordedMoment, RecordedRun } from "../../outcome/run-record.ts";
import type { Clock } from "../../pacing/clock.ts";
import type { PackedJob } from "../job/pack-job.ts";
import type { ListedSeat, RosterOptions, Seat } from "./roster.ts";
import type { KeptState, RunFolder } from "./run-folder.ts";

/** Everything that the coordination of a run needs. */
export interface CoordinationParts extends RosterOptions {
  readonly clock: Clock;
  /** Saved on each change. */
  readonly state: KeptState;
  readonly folder: RunFolder;
  readonly job: PackedJob;
  /** The load starts without agents that are lost before it. */
  readonly allowsPartial: boolean;
  readonly watch: ShardWatch;
  readonly events: CoordinationEvents;
}

/** Watches the records of all agents; shards count from 0. */
export interface ShardWatch {
  /** The first record of an agent. */
  begin(shard: number, name: string, run: RecordedRun): void;
  /** A later one: each once, in order. */
  add(shard: number, moment: RecordedMoment): void;
  /** Nothing more comes of it. */
  end(shard: number): void;
  /** The start is decided: by the time of day of this machine, in ms since 1970. */
  start(startAtMs: number): void;
}

export interface CoordinationEvents {
  /** Whenever the standing of an agent has changed. */
  onStandings(agents: readonly ListedSeat[]): void;
  /** An agent cannot run the test. */
  onProblem(seat: Seat, text: string): void;
  /** The run cannot start. */
  onMissing(agents: readonly ListedSeat[]): void;
}
