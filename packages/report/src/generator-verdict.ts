import type { TestResult } from "@bearhug/sdk";
import { minJudgedMs } from "@bearhug/sdk/internal";

/**
 * The verdict on the load generator in a word. A run that was too short for a verdict is not called healthy.
 */
export type GeneratorWord = TestResult["generator"]["verdict"] | "not judged";

export function generatorWord(
  { verdict }: Pick<TestResult["generator"], "verdict">,
  durationMs: number,
): GeneratorWord {
  return verdict === "healthy" && durationMs < minJudgedMs ? "not judged" : verdict;
}
