import { readFile, writeFile } from "node:fs/promises";
import { StringDecoder } from "node:string_decoder";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

import { sumFigures } from "@bearhug/metrics/sum";
import type { TestResult } from "@bearhug/sdk";

import { writeLogPayload, writeTooLarge } from "./log-payload.ts";

/** Kubernetes truncates termination messages to this size. */
const maxMessageBytes = 4096;

/** Logs are usually truncated at 10 MiB, and contain other lines, too. */
const maxPayloadBytes = 6 * 2 ** 20;

/** Returns the last lines of an agent's log, or a note if the recording is too large for a log. */
export async function payloadOfRecording(path: string): Promise<string> {
  const content = await promisify(gunzip)(await readFile(path));
  const payload = writeLogPayload({ kind: "recording", content });
  if (payload.length <= maxPayloadBytes) return payload;
  return `bearhug: the recording is not in this log: ${describeExcess(payload.length)}\n${writeTooLarge(payload.length)}`;
}

/** Explains that a recording is too large for a log. */
export function describeExcess(bytes: number): string {
  const [size, most] = [bytes, maxPayloadBytes].map((one) => (one / 2 ** 20).toFixed(1));
  return `it would take ${size} MiB there, and ${most} MiB is the most.`;
}

/** Returns the last lines of the coordinator's log. */
export function payloadOfResult(result: TestResult): string {
  return writeLogPayload({ kind: "result", content: Buffer.from(JSON.stringify(result)) });
}

/** Writes the termination message of a container: the outcome, for users who no longer have the log. */
export async function writeTerminationMessage(path: string, result: TestResult): Promise<void> {
  await writeFile(path, truncate(describeEnd(result), maxMessageBytes));
}

/** Describes the outcome of a run in a few lines. */
function describeEnd({ shard, exitCode, messages, accounting, durationMs, startedAt }: TestResult): string {
  const { iterations, requests } = accounting;
  const { sent, failed } = sumFigures(requests, "sent", "failed");
  return [
    `${shard === null ? "" : `shard ${shard.index + 1} of ${shard.count}: `}exit code ${exitCode}`,
    `${iterations.started} iterations, ${sent} requests sent, ${failed} failed`,
    `${Math.round(durationMs)} ms from ${startedAt}`,
    ...messages,
  ].join("\n");
}

/** Truncates a text to a number of bytes without splitting a character. */
function truncate(text: string, maxBytes: number): string {
  return new StringDecoder("utf8").write(Buffer.from(text).subarray(0, maxBytes));
}
