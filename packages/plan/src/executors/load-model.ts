import type { z } from "@bearhug/sdk/internal";

import type { ValidatedScenario, ValidatedScenarioBase, OwnOptions } from "./validated-scenario.ts";
import type { LoadPoint } from "../pacing/load-over-time.ts";
import type { RateProfile } from "../pacing/rate-profile.ts";
import type { Stripe } from "../pacing/stripe.ts";
import type { LoadOverride } from "./override.ts";
import type { ScenarioShare } from "./scenario-share.ts";

/** Everything that bearhug knows about one load model. */
export interface LoadModel<Scenario extends ValidatedScenario> {
  /** The names of the options that an author may write. */
  readonly optionNames: () => readonly string[];
  /** Reads the options that an author wrote. */
  readonly schema: () => z.ZodType<OwnOptions<Scenario>>;
  /** True if the load is the same from the start to the end. */
  readonly isEven: boolean;
  /** Its load in words: first its work, then each option that changes it. */
  describe(scenario: Scenario): string[];
  /** Its planned load: virtual users, or iterations per second. Times are from the scenario's start. */
  loadOverTime(scenario: Scenario): LoadPoint[];
  /** The most VUs that it can have at once. */
  peakVus(scenario: Scenario): number;
  /** The VUs that are certain to exist, and when. Times are from the scenario's start. */
  certainVus(scenario: Scenario): CertainVus;
  /** Its number of iterations; null if that depends on the target or on chance. */
  plannedIterations(scenario: Scenario): number | null;
  /** Applies options of the command line, or adds a problem for each that does not apply to the scenario. */
  override(scenario: Scenario, options: LoadOverride, problems: string[]): ValidatedScenario;

  /** Reads the options that the progress of a run is computed from, of a scenario or of a recording. */
  readonly pacing: () => z.ZodType<PacingOf<Scenario>>;
  /** The time during which it starts iterations, in ms, without its `startTime`. */
  activeMs(pacing: PacingOf<Scenario>): number;
  /** The number of iterations that a shard is to run; null if the load model has no fixed number. */
  countedIterations(pacing: PacingOf<Scenario>, shard: Stripe): number | null;
  /**
   * The rate of its arrivals; null in closed models, where virtual users decide how fast iterations follow
   * each other.
   */
  arrivalsOf(pacing: PacingOf<Scenario>): RateProfile | null;

  /** Runs one worker's share of the iterations; resolves when all iterations that it started have ended. */
  run(scenario: Scenario, share: ScenarioShare): Promise<void>;
}

export interface CertainVus {
  readonly vus: number;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Options that the progress of a run does not depend on. */
type NonPacingOption =
  | Exclude<keyof ValidatedScenarioBase, "startTimeMs">
  | ("preAllocatedVUs" | "maxVUs" | "arrivals" | "onBusy" | "startVUs" | "gracefulRampDownMs");

export type PacingOf<Scenario> = Scenario extends ValidatedScenario ? Omit<Scenario, NonPacingOption> : never;

/** When a scenario starts iterations, and how many: all that is needed to compute its progress. */
export type ScenarioPacing = PacingOf<ValidatedScenario>;
