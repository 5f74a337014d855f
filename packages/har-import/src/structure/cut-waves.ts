import { isSecretName } from "@bearhug/sdk/internal";
import type { Visit } from "../visit.ts";
import { ConnectionSlots } from "./simulate-step.ts";
import type { TimedVisit } from "./timed-visit.ts";

/** How precisely waves keep the recorded times. Less precision means fewer waves. */
export interface Precision {
  /** A request may start so much earlier than it did. */
  readonly earlyMs: number;
  /** Requests that end this soon after the start of the next wave are waited for all the same. */
  readonly slackMs: number;
  /** Browser's own time below this is left out. */
  readonly leastPauseMs: number;
  /** True to delay a request even if no response came that it could have waited for. */
  readonly cutsWithoutAnswer: boolean;
  /** True to let a document's requests start before the document has arrived in full. */
  readonly documentOutlasts: boolean;
  /** True to let a request outlast its wave even if a later request came of it. Nobody waits for it then. */
  readonly awaitedOutlasts: boolean;
}

export interface CutWave {
  afterMs: number;
  readonly visits: { readonly visit: Visit; outlasts: boolean }[];
}

/** Later requests with which one would share a wave: no more are looked at. */
const lookAhead = 50;
/** Requests this far apart are not sent together, whether or not anything was answered in between. */
const apartMs = 500;
/** Requests this close together need no order, unless one can have come of the other's response. */
const sameMomentMs = 20;
const pauseStepMs = 10;

/**
 * Cuts a step's requests into waves, as whoever replays them will send them: a request begins a wave when it seems to
 * have waited for an answer of the one before. The clock of the replay runs along, so that errors do not add up.
 */
export function cutWaves(
  requests: readonly TimedVisit[],
  documents: number,
  precision: Precision,
  connections: number,
): CutWave[] {
  const cutter = new WaveCutter(precision, connections);
  for (const [index, request] of requests.entries()) {
    const isDocumentsWave = index <= documents && documents > 0;
    if (index === 0 || isDocumentsWave || cutter.isLaterThanWave(request)) {
      const following = requests.slice(index, index + lookAhead);
      cutter.beginWave(request, following, index > 0 && isDocumentsWave);
    }
    cutter.add(request);
  }
  return cutter.waves;
}

/** The wave that requests are added to. Ends are recorded ones, but for those of `sent`. */
interface OpenWave {
  /** On the clock of the replay. */
  readonly startMs: number;
  readonly sent: { readonly request: TimedVisit; readonly endMs: number }[];
  firstEndMs: number;
  lastEndMs: number;
  firstCallEndMs: number;
  firstScriptEndMs: number;
  readonly endOfUrl: Map<string, number>;
}

function openWave(startMs: number): OpenWave {
  const noEnd = { firstEndMs: Infinity, lastEndMs: 0, firstCallEndMs: Infinity, firstScriptEndMs: Infinity };
  return { startMs, sent: [], ...noEnd, endOfUrl: new Map() };
}

class WaveCutter {
  readonly waves: CutWave[] = [];
  readonly #precision: Precision;
  readonly #slots: ConnectionSlots;
  #wave: OpenWave = openWave(0);
  /** When all that waves wait for has ended. */
  #readyMs = 0;

  constructor(precision: Precision, connections: number) {
    this.#precision = precision;
    this.#slots = new ConnectionSlots(connections);
  }

  isLaterThanWave(request: TimedVisit): boolean {
    const { startMs, runMs, isCall, visit } = request;
    const wave = this.#wave;
    const initiator = visit.entry.initiator?.url ?? null;
    const initiatorEndMs = wave.endOfUrl.get(initiator ?? "");
    // What a call says may come of what asked for it, also while that was still coming in.
    if (initiatorEndMs !== undefined && (isCall || initiatorEndMs <= startMs)) return true;
    if ((isCall || isSigned(visit)) && wave.firstCallEndMs <= startMs) return true;
    if (isCall && initiator === null && wave.firstScriptEndMs <= startMs) return true;
    const earlierMs = runMs - this.#slots.startOf(request, wave.startMs);
    if (wave.lastEndMs <= startMs && earlierMs > sameMomentMs) return true;
    const mayHaveWaited =
      wave.firstEndMs <= startMs || earlierMs > apartMs || this.#precision.cutsWithoutAnswer;
    return mayHaveWaited && earlierMs > this.#precision.earlyMs;
  }

  /** Ends the current wave before a request; what then still runs is not waited for. */
  beginWave(request: TimedVisit, following: readonly TimedVisit[], isAfterDocument: boolean): void {
    const { slackMs, leastPauseMs, cutsWithoutAnswer } = this.#precision;
    const ended = this.waves.at(-1)?.visits ?? [];
    for (const [index, { request: earlier, endMs }] of this.#wave.sent.entries()) {
      const isRunning = earlier.endMs > request.startMs + slackMs;
      const planned = ended[index];
      if (isRunning && planned !== undefined && this.#mayOutlast(earlier, isAfterDocument))
        planned.outlasts = true;
      else this.#readyMs = Math.max(this.#readyMs, endMs);
    }
    const pauseMs = this.#wantedStart(request, following) - this.#readyMs;
    const isPaused = pauseMs >= leastPauseMs && (this.waves.length > 0 || cutsWithoutAnswer);
    const afterMs = isPaused ? Math.round(pauseMs / pauseStepMs) * pauseStepMs : 0;
    this.waves.push({ afterMs, visits: [] });
    this.#readyMs += afterMs;
    this.#wave = openWave(this.#readyMs);
  }

  add(request: TimedVisit): void {
    const { visit, endMs, isCall, isScript } = request;
    const wave = this.#wave;
    this.waves.at(-1)?.visits.push({ visit, outlasts: false });
    wave.sent.push({ request, endMs: this.#slots.send(request, wave.startMs) });
    wave.firstEndMs = Math.min(wave.firstEndMs, endMs);
    wave.lastEndMs = Math.max(wave.lastEndMs, endMs);
    if (isCall) wave.firstCallEndMs = Math.min(wave.firstCallEndMs, endMs);
    if (isScript) wave.firstScriptEndMs = Math.min(wave.firstScriptEndMs, endMs);
    for (const { url } of [visit, ...visit.hops]) wave.endOfUrl.set(url.href, endMs);
  }

  #mayOutlast({ isAwaited }: TimedVisit, isDocument: boolean): boolean {
    if (isDocument && !this.#precision.documentOutlasts) return false;
    return !isAwaited || this.#precision.awaitedOutlasts;
  }

  /** When the first of the requests that start together was on its way. */
  #wantedStart(request: TimedVisit, following: readonly TimedVisit[]): number {
    const together = following.filter(({ startMs }) => startMs <= request.startMs + this.#precision.earlyMs);
    const runMs = together.reduce((earliest, next) => Math.min(earliest, next.runMs), request.runMs);
    return Math.max(request.startMs, runMs);
  }
}

/** Returns true for a signed address, which only a response can have given, even for an image. */
function isSigned({ url }: Visit): boolean {
  return url.search !== "" && Array.from(url.searchParams.keys()).some(isSecretName);
}
