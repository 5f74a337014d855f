import { sumBy } from "@bearhug/metrics/sum";
import { type SampleKind, SharedSamples } from "@bearhug/plan/protocol/shared-samples";
import type { EndLine, IntervalLine, RunLine } from "@bearhug/sdk";
import { printableJson } from "@bearhug/text/printable";

import type { LineFile } from "./line-file.ts";
import type { NdjsonStart, RunEnd, ToNdjsonThread } from "./messages.ts";
import { SampleLines } from "./sample-lines.ts";

/** Samples of one worker that are written at a time: enough for a disk, and little to hold in memory. */
const mostAtOnce = 8192;

interface WorkerSamples {
  readonly ring: SharedSamples;
  readonly lines: SampleLines;
}

/** Writes the lines of a run. */
export class StreamWriter {
  readonly #file: LineFile;
  readonly #hasSamples: boolean;
  /** The time at which the clock of samples showed 0, in ms since 1970. */
  readonly #epochMs: number;
  readonly #workers = new Map<number, WorkerSamples>();
  #written = 0;

  constructor(file: LineFile, { hasSamples }: NdjsonStart) {
    this.#file = file;
    this.#hasSamples = hasSamples;
    this.#epochMs = Date.now() - performance.now();
  }

  /** Writes the coordinator's messages; `end` writes the end of the run. */
  take(message: Exclude<ToNdjsonThread, { readonly type: "end" }>): void {
    switch (message.type) {
      case "run": {
        this.#write({ type: "run", schema: "bearhug/ndjson@1", time: Date.now(), ...message.run });
        break;
      }
      case "interval": {
        const { series: _, ...snapshot } = message.snapshot;
        this.#write({ type: "interval", time: Date.now(), ...snapshot });
        break;
      }
      case "join": {
        const worker = { ring: new SharedSamples(message.ring), lines: new SampleLines(this.#epochMs) };
        this.#workers.set(message.workerId, worker);
        break;
      }
      case "define":
        this.define(message.workerId, message.kind);
    }
  }

  define(workerId: number, kind: SampleKind): void {
    this.#workers.get(workerId)?.lines.define(kind);
  }

  /** Writes waiting samples, unless the file is behind. Returns how many. */
  writeSamples(): number {
    let count = 0;
    for (const { ring, lines } of this.#workers.values()) {
      if (this.#file.isBehind) break;
      let text = "";
      count += ring.take(mostAtOnce, (sample) => {
        const line = lines.render(sample);
        if (line !== null) text += line;
        return line !== null;
      });
      this.#file.write(text);
    }
    this.#written += count;
    return count;
  }

  /** Writes the last line, after all samples. */
  async end(end: RunEnd, pause: () => Promise<void>): Promise<void> {
    while (this.#file.isBehind || this.writeSamples() > 0) await pause();
    const workers = [...this.#workers.values()];
    // The last samples of a lost worker may be of a kind that it never defined.
    const shed = sumBy(workers, ({ ring }) => ring.shed + ring.take(Infinity, () => true));
    const samples = this.#hasSamples ? { written: this.#written, shed } : null;
    this.#write({ type: "end", time: Date.now(), ...end, samples });
    await this.#file.end();
  }

  #write(line: RunLine | IntervalLine | EndLine): void {
    this.#file.write(`${printableJson(line)}\n`);
  }
}
