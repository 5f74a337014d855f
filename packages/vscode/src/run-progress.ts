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
