import type { SampleKind, SharedSample } from "@bearhug/plan/protocol/shared-samples";
import type { Timings } from "@bearhug/sdk";
import { phaseNames } from "@bearhug/sdk/internal";
import { printableJson } from "@bearhug/text/printable";

/** Renders the samples of one worker as lines. */
export class SampleLines {
  readonly #epochMs: number;
  /** The text after the time and the text after the status, by kind. */
  readonly #texts: [afterTime: string, afterStatus: string][] = [];

  /** `epochMs`: the Unix time at which the samples' clock showed 0. */
  constructor(epochMs: number) {
    this.#epochMs = epochMs;
  }

  define({ id, tags: { name = "", status: _, ...tags }, error }: SampleKind): void {
    this.#texts[id] = [
      `,"name":${printableJson(name)},"tags":${printableJson(tags)},"status":`,
      `,"error":${printableJson(error)},"timings":`,
    ];
  }

  /**
   * Renders a line; null if its kind is not defined yet. The JSON is assembled by hand, because many lines
   * are written each second.
   */
  render({
    kind,
    calledAt,
    status,
    timings,
    bytesSent,
    bytesReceived,
    traceId,
  }: SharedSample): string | null {
    const texts = this.#texts[kind];
    if (texts === undefined) return null;
    const [afterTime, afterStatus] = texts;
    const time = round(this.#epochMs + calledAt);
    const bytes = `"bytesSent":${bytesSent},"bytesReceived":${bytesReceived}`;
    const trace = traceId === null ? "" : `,"traceId":"${traceId}"`;
    return `{"type":"sample","time":${time}${afterTime}${status}${afterStatus}${renderTimings(timings)},${bytes}${trace}}\n`;
  }
}

function renderTimings(timings: Timings | null): string {
  if (timings === null) return "null";
  let text = "{";
  for (const phase of phaseNames) text += `"${phase}":${round(timings[phase])},`;
  return `${text}"duration":${round(timings.duration)},"responseTime":${round(timings.responseTime)}}`;
}

/** Rounds to microseconds. */
function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
