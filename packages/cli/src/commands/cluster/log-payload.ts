import type { TestResult } from "@bearhug/sdk";
import { Option } from "commander";

import {
  writeTerminationMessage,
  payloadOfRecording,
  payloadOfResult,
} from "../../kubernetes/write-log-payload.ts";

/** Returns the option of commands that run in pods, where only the log survives. */
export function logPayloadOption(content: "recording" | "result"): Option {
  return new Option(
    "--log-payload <file>",
    `for pods: print the compressed ${content} at the end of the log, and write its summary to this file`,
  ).hideHelp();
}

/** Keeps an agent's recording and result, to print when it ends. Does nothing if there is no summary file. */
export class LogPayloadOfAgent {
  readonly #summaryFile: string | null;
  #text: string | null = null;
  result: TestResult | null = null;

  constructor(summaryFile: string | null) {
    this.#summaryFile = summaryFile;
  }

  /** Reads the recording now, because the agent deletes the file once its coordinator has it. */
  async keep(recording: string | null): Promise<void> {
    if (this.#summaryFile !== null && recording !== null) this.#text = await payloadOfRecording(recording);
  }

  async print(): Promise<void> {
    if (this.#text !== null) process.stdout.write(this.#text);
    if (this.#summaryFile !== null && this.result !== null)
      await writeTerminationMessage(this.#summaryFile, this.result);
  }
}

/** Prints a coordinator's result to the log, and writes its summary to the file. */
export async function printResult(summaryFile: string, result: TestResult): Promise<void> {
  process.stdout.write(payloadOfResult(result));
  await writeTerminationMessage(summaryFile, result);
}
