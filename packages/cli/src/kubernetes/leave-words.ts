import { readFile, writeFile } from "node:fs/promises";
import { StringDecoder } from "node:string_decoder";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

import type { TestResult } from "@bearhug/sdk";

import { writeLastWords, writeTooLarge } from "./last-words.ts";

/** Kubernetes keeps this much of a termination message. */
const mostMessageBytes = 4096;

/** Logs are cut off at 10 MiB as a rule, and other lines are in them, too. */
const mostWordsBytes = 6 * 2 ** 20;

/** The last lines of an agent's log. Instead of a recording that is too large for a log, they say so. */
export async function wordsOfRecording(path: string): Promise<string> {
  const content = await promisify(gunzip)(await readFile(path));
  const words = writeLastWords({ kind: "recording", content });
  if (words.length <= mostWordsBytes) return words;
  return `bearhug: the recording is not in this log: ${describeExcess(words.length)}\n${writeTooLarge(words.length)}`;
}

/** A reason why a recording is not in a log. */
export function describeExcess(bytes: number): string {
  const [size, most] = [bytes, mostWordsBytes].map((one) => (one / 2 ** 20).toFixed(1));
  return `it would take ${size} MiB there, and ${most} MiB is the most.`;
}

/** The last lines of the coordinator's log. */
export function wordsOfResult(result: TestResult): string {
  return writeLastWords({ kind: "result", content: Buffer.from(JSON.stringify(result)) });
}

/** Writes the termination message of a container: what came of it, for those who have no log any more. */
export async function leaveMessage(path: string, result: TestResult): Promise<void> {
  await writeFile(path, limit(describeEnd(result), mostMessageBytes));
}

/** The outcome of a run in a few lines. */
function describeEnd({ shard, exitCode, messages, accounting, durationMs, startedAt }: TestResult): string {
  const { iterations, requests } = accounting;
  const sum = (count: "sent" | "failed"): number => requests.reduce((total, one) => total + one[count], 0);
  return [
    `${shard === null ? "" : `shard ${shard.index + 1} of ${shard.count}: `}exit code ${exitCode}`,
    `${iterations.started} iterations, ${sum("sent")} requests sent, ${sum("failed")} failed`,
    `${Math.round(durationMs)} ms from ${startedAt}`,
    ...messages,
  ].join("\n");
}

/** Cuts a text off at a number of bytes, between two characters. */
function limit(text: string, mostBytes: number): string {
  return new StringDecoder("utf8").write(Buffer.from(text).subarray(0, mostBytes));
}
