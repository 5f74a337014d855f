import type { Accounting, CheckResult, ErrorResult, TestResult, ThresholdResult } from "@bearhug/sdk";
import type { VuTime, WorkerResult } from "@bearhug/sdk/internal";

import type { ExitCode } from "../../exit-codes.ts";
import type { TeardownSignal } from "../run-record.ts";
import type { ScenarioOutcome } from "./scenario-outcomes.ts";

/** The facts that decide the verdict of a run. */
export interface Ending {
  readonly thresholds: readonly ThresholdResult[];
  readonly metrics: TestResult["metrics"];
  readonly checks: readonly CheckResult[];
  readonly accounting: Accounting;
  readonly errors: readonly ErrorResult[];
  readonly scenarios: readonly ScenarioOutcome[];
  /** Tells what the virtual users of a scenario spent their time on. */
  readonly timeOfVus: (scenario: string) => VuTime;
  readonly workers: readonly Pick<WorkerResult, "id" | "lost">[];
  /** Thresholds whose samples could not be told apart, each with a sentence. */
  readonly unanswerable: readonly string[];
  /** Sentences about what the module, setup or teardown threw. */
  readonly failures: readonly string[];
  /** The signal that ended the load; null for none. */
  readonly interruptedBy: string | null;
  readonly teardownSignal: TeardownSignal | null;
  /** How far the load had come when the process was killed; null where it was not. */
  readonly killed: { readonly afterMs: number; readonly isLoadOver: boolean } | null;
  /** The reason given to `abort`; null where it was not called. */
  readonly abortReason: string | null;
  /** As much was received as the user allowed: no fault, but the load was shorter than planned. */
  readonly hasReceivedEnough: boolean;
  readonly isGeneratorSaturated: boolean;
  readonly isStrictGenerator: boolean;
  /** False for a load too short to judge the generator. */
  readonly isGeneratorJudged: boolean;
}

/** Something that held at the end of a run: its sentence, and the exit code that it asks for. */
export interface Reason {
  readonly code: ExitCode;
  readonly message: string;
}

/** One rule of the verdict: the reasons that it finds in how a run ended. */
export type Rule = (ending: Ending) => readonly Reason[];

/** True if a person, the test's `abort` or a kill ended the load before its time. */
export function wasCutShort({ interruptedBy, abortReason, killed }: Ending): boolean {
  return interruptedBy !== null || abortReason !== null || killed?.isLoadOver === false;
}
