import { isSecretName } from "@bearhug/text/secrets/secret-names";

import { resourceTypeOf } from "../select/resource-type.ts";
import type { Visit } from "../visit.ts";
import { perHost, simulateStep, ConnectionSlots } from "./connections.ts";
import type { StepDraft } from "./split-steps.ts";
import { type TimedVisit, timeVisits } from "./timed-visit.ts";

const files = new Set(["stylesheet", "image", "font", "script", "media"]);

/** Tolerated difference between replay and recording, before a step is cut into more waves. */
const errorShare = 0.1;
const errorMs = 20;
const startShare = 0.25;
const startMs = 200;

/**
 * Plans the waves of a step, as few as keep its recorded time. Without times: documents, then all files, each
 * call alone.
 */
export function planWaves({ visits, documents }: StepDraft, connections: number = perHost): CutWave[] {
  const requests = timeVisits(visits);
  if (requests === null) return untimedWaves(visits, documents);
  const totalMs = requests.reduce((latest, { endMs }) => Math.max(latest, endMs), 0);
  let near: CutWave[] | null = null;
  let best: { readonly waves: CutWave[]; readonly deviationMs: number } | null = null;
  for (const precision of precisionsFor(totalMs)) {
    // The step's time is right. Exact starts of single requests are not worth sending one before its cause
    // has arrived.
    if (near !== null && precision.awaitedOutlasts) return near;
    const waves = cutWaves(requests, documents, precision, connections);
    const simulated = simulateStep(waves, connections);
    const deviationMs = Math.abs(simulated.totalMs - totalMs);
    if (deviationMs <= totalMs * errorShare + errorMs) {
      if (startsNear(requests, simulated.startsMs, totalMs)) return waves;
      near ??= waves;
    }
    if (best === null || deviationMs < best.deviationMs) best = { waves, deviationMs };
  }
  return near ?? best?.waves ?? [];
}

/** An upper limit for long steps: requests half a second apart are not one burst. */
const mostEarlyMs = 500;

/** Returns the precisions to try, from the coarsest on. */
function precisionsFor(totalMs: number): Precision[] {
  const earlyMs = Math.min(mostEarlyMs, Math.max(50, totalMs * 0.08));
  const coarse: Precision = {
    earlyMs,
    slackMs: earlyMs / 2,
    leastPauseMs: Math.max(30, totalMs * 0.03),
    cutsWithoutResponse: false,
    documentOutlasts: false,
    awaitedOutlasts: false,
  };
  const strict = { ...coarse, cutsWithoutResponse: true };
  const loose = { ...strict, awaitedOutlasts: true, documentOutlasts: true };
  return [
    coarse,
    strict,
    { ...strict, documentOutlasts: true },
    { ...strict, awaitedOutlasts: true },
    loose,
    { ...loose, earlyMs: earlyMs / 4, slackMs: earlyMs / 8 },
    { ...loose, earlyMs: 0, slackMs: 0, leastPauseMs: 10 },
  ];
}

function startsNear(requests: readonly TimedVisit[], startsMs: readonly number[], totalMs: number): boolean {
  const nearMs = Math.max(startMs, totalMs * startShare);
  return requests.every(({ runMs }, index) => Math.abs((startsMs[index] ?? runMs) - runMs) <= nearMs);
}

function untimedWaves(visits: readonly Visit[], documents: number): CutWave[] {
  const waves: CutWave[] = [];
  let areFiles = false;
  for (const [index, visit] of visits.entries()) {
    const isFile = index >= documents && files.has(resourceTypeOf(visit.entry, visit.url));
    const wave = waves.at(-1);
    if (isFile && areFiles && wave !== undefined) wave.visits.push({ visit, outlasts: false });
    else waves.push({ afterMs: 0, visits: [{ visit, outlasts: false }] });
    areFiles = isFile;
  }
  return waves;
}

/** How precisely waves keep the recorded times. Less precision means fewer waves. */
interface Precision {
  /** How much earlier than recorded a request may start. */
  readonly earlyMs: number;
  /** The next wave still waits for requests that end this soon after its start. */
  readonly slackMs: number;
  /** Shorter pauses of the browser are left out. */
  readonly leastPauseMs: number;
  /** True to delay a request even if no response came that it could have waited for. */
  readonly cutsWithoutResponse: boolean;
  /** True to let a document's requests start before the document has arrived in full. */
  readonly documentOutlasts: boolean;
  /**
   * True to let a request outlast its wave even if it may have caused a later one, which then does not wait
   * for it.
   */
  readonly awaitedOutlasts: boolean;
}

interface CutWave {
  afterMs: number;
  readonly visits: { readonly visit: Visit; outlasts: boolean }[];
}

/** Most later requests that are considered for the same wave. */
const lookAhead = 50;
/** Requests this far apart are not sent together, even if no response came in between. */
const apartMs = 500;
/** Requests this close together need no order, unless one may be a consequence of the other's response. */
const sameMomentMs = 20;
const pauseStepMs = 10;

/**
 * Cuts a step's requests into the waves of the replay: a request begins a wave if it seems to have waited for
 * a response of the one before. Simulates the replay's clock along the way, so that errors do not add up.
 */
function cutWaves(
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

/** The wave that requests are added to. Ends are as recorded, except for the simulated ones of `sent`. */
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
  /** When everything that the waves wait for has ended, on the clock of the replay. */
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
    // A call may depend on the response that caused it, even while that was still arriving.
    if (initiatorEndMs !== undefined && (isCall || initiatorEndMs <= startMs)) return true;
    if ((isCall || isSigned(visit)) && wave.firstCallEndMs <= startMs) return true;
    if (isCall && initiator === null && wave.firstScriptEndMs <= startMs) return true;
    const earlierMs = runMs - this.#slots.startOf(request, wave.startMs);
    if (wave.lastEndMs <= startMs && earlierMs > sameMomentMs) return true;
    const mayHaveWaited =
      wave.firstEndMs <= startMs || earlierMs > apartMs || this.#precision.cutsWithoutResponse;
    return mayHaveWaited && earlierMs > this.#precision.earlyMs;
  }

  /** Ends the current wave before a request. If possible, requests that still run then are not waited for. */
  beginWave(request: TimedVisit, following: readonly TimedVisit[], isAfterDocument: boolean): void {
    const { slackMs, leastPauseMs, cutsWithoutResponse } = this.#precision;
    const ended = this.waves.at(-1)?.visits ?? [];
    for (const [index, { request: earlier, endMs }] of this.#wave.sent.entries()) {
      const isRunning = earlier.endMs > request.startMs + slackMs;
      const planned = ended[index];
      if (isRunning && planned !== undefined && this.#mayOutlast(earlier, isAfterDocument))
        planned.outlasts = true;
      else this.#readyMs = Math.max(this.#readyMs, endMs);
    }
    const pauseMs = this.#firstStart(request, following) - this.#readyMs;
    const isPaused = pauseMs >= leastPauseMs && (this.waves.length > 0 || cutsWithoutResponse);
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

  /** Returns when the first of the requests that start together was sent. */
  #firstStart(request: TimedVisit, following: readonly TimedVisit[]): number {
    const together = following.filter(({ startMs }) => startMs <= request.startMs + this.#precision.earlyMs);
    const runMs = together.reduce((earliest, next) => Math.min(earliest, next.runMs), request.runMs);
    return Math.max(request.startMs, runMs);
  }
}

/** Returns true for a signed address, which only a response can have supplied, even for an image. */
function isSigned({ url }: Visit): boolean {
  return url.search !== "" && Array.from(url.searchParams.keys()).some(isSecretName);
}
