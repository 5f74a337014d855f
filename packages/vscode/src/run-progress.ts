import { open } from "node:fs/promises";

import type { IntervalLine, NdjsonLine } from "@bearhug/sdk";

/** Splits a stream of text into lines. The last line may still be incomplete. */
export class LineSplitter {
  #rest = "";

  /** Adds text, and returns the lines that are now complete. */
  take(text: string): string[] {
    const lines = `${this.#rest}${text}`.split("\n");
    this.#rest = lines.pop() ?? "";
    return lines;
  }
}

const pollEveryMs = 500;

/** Reads the lines of a file while another process writes it, until `stop` is called. */
export function followLines(path: string, onLine: (line: string) => void): { stop: () => Promise<void> } {
  const splitter = new LineSplitter();
  const decoder = new TextDecoder();
  let position = 0;
  const readMore = async (): Promise<void> => {
    const bytes = await readFrom(path, position);
    position += bytes.length;
    for (const line of splitter.take(decoder.decode(bytes, { stream: true }))) onLine(line);
  };
  let reading = Promise.resolve();
  const timer = setInterval(() => {
    reading = reading.then(readMore);
  }, pollEveryMs);
  return {
    stop: async () => {
      clearInterval(timer);
      await reading.then(readMore);
    },
  };
}

/** Reads the rest of a file; empty if the file does not exist yet. */
async function readFrom(path: string, position: number): Promise<Uint8Array> {
  const file = await open(path).catch(() => null);
  if (file === null) return new Uint8Array();
  try {
    const { size } = await file.stat();
    const bytes = new Uint8Array(Math.max(0, size - position));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, position);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * Describes the progress of a run from a line of `--out ndjson`; null for lines of another kind than
 * intervals.
 */
export function describeProgress(line: string): string | null {
  const event: unknown = JSON.parse(line);
  if (!isInterval(event)) return null;
  const { elapsedMs, plannedMs, vus, requestRate, p95Ms, failedRate, isWarmup } = event;
  const planned = plannedMs === null ? "" : ` of ${seconds(plannedMs)}`;
  return [
    `${seconds(elapsedMs)}${planned}${isWarmup ? ", warming up" : ""}`,
    `${vus} ${vus === 1 ? "VU" : "VUs"}`,
    `${Math.round(requestRate)} requests/s`,
    ...(p95Ms === null ? [] : [`p95 ${Number(p95Ms.toPrecision(3))} ms`]),
    `${Number((failedRate * 100).toFixed(1))} % failed`,
  ].join(" · ");
}

function isInterval(event: unknown): event is IntervalLine {
  return (
    typeof event === "object" &&
    event !== null &&
    "type" in event &&
    event.type === ("interval" satisfies NdjsonLine["type"])
  );
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}
