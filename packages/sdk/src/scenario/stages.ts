import type { Duration } from "../duration/duration.ts";

/** One stage of a ramp: from the previous target to `target`, in a straight line. */
export interface Stage {
  /** The length of the stage. With 0, the ramp jumps to `target`. */
  readonly duration: Duration;
  /** The target at the end of the stage: virtual users, or iterations per `timeUnit`. */
  readonly target: number;
}

/** The stages of a ramp. */
export type Stages = readonly Stage[];
