import type { TestResult } from "@bearhug/sdk";
import { Option } from "commander";

import {
  writeTerminationMessage,
  wordsOfRecording,
  wordsOfResult,
} from "../../kubernetes/write-last-words.ts";

/** Returns the option of commands that run in pods, where only the log survives. */
export function lastWordsOption(content: "recording" | "result"): Option {
  return new Option(
    "--last-words <file>",
    `for pods: print the compressed ${content} at the end of the log, and write its summary to this file`,
  ).hideHelp();
}

/** Keeps an agent's recording and result, to print when it ends. Does nothing if there is no summary file. */
export class LastWordsOfAgent {
  readonly #summaryFile: string | null;
  #text: string | null = null;
  result: TestResult | null = null;

  constructor(summaryFile: string | null) {
    this.#summaryFile = summaryFile;
  }

  /** Reads the recording now, because the agent deletes the file once its coordinator has it. */
  async keep(recording: string | null): Promise<void> {
    if (this.#summaryFile !== null && recording !== null) this.#text = await wordsOfRecording(recording);
  }

  async print(): Promise<void> {
    if (this.#text !== null) process.stdout.write(this.#text);
    if (this.#summaryFile !== null && this.result !== null)
      await writeTerminationMessage(this.#summaryFile, this.result);
  }
}

/** Prints a coordinator's result to the log, and writes its summary to the file. */
export async function printResult(summaryFile: string, result: TestResult): Promise<void> {
  process.stdout.write(wordsOfResult(result));
  await writeTerminationMessage(summaryFile, result);
}
