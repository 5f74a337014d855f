import type { TestResult } from "@bearhug/sdk";
import { Option } from "commander";

import { leaveMessage, wordsOfRecording, wordsOfResult } from "../../kubernetes/leave-words.ts";

/** The option of the commands that run in pods, of which only the log remains. */
export function lastWordsOption(content: "recording" | "result"): Option {
  return new Option(
    "--last-words <file>",
    `for pods: print the compressed ${content} at the end of the log, and write its summary to this file`,
  ).hideHelp();
}

/** The last words of an agent; it has none where no file for its summary is given. */
export class LastWordsOfAgent {
  readonly #summaryFile: string | null;
  #words: string | null = null;
  result: TestResult | null = null;

  constructor(summaryFile: string | null) {
    this.#summaryFile = summaryFile;
  }

  /** Reads the recording, which the agent removes when its coordinator has it. */
  async keep(recording: string | null): Promise<void> {
    if (this.#summaryFile !== null && recording !== null) this.#words = await wordsOfRecording(recording);
  }

  async say(): Promise<void> {
    if (this.#words !== null) process.stdout.write(this.#words);
    if (this.#summaryFile !== null && this.result !== null)
      await leaveMessage(this.#summaryFile, this.result);
  }
}

/** Says the last words of a coordinator. */
export async function sayResult(summaryFile: string, result: TestResult): Promise<void> {
  process.stdout.write(wordsOfResult(result));
  await leaveMessage(summaryFile, result);
}
