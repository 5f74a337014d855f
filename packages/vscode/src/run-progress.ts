import type { IntervalLine, NdjsonLine } from "@bearhug/sdk";

/** Splits a stream of text into its lines, of which the last may still grow. */
export class LineSplitter {
  #rest = "";

  /** Returns the lines that are complete now. */
  take(text: string): string[] {
    const lines = `${this.#rest}${text}`.split("\n");
    this.#rest = lines.pop() ?? "";
    return lines;
  }
}

/** Says how a run goes on, from a line of `--out ndjson`; null for lines that are not about a second of it. */
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
