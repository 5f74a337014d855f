import { resourceTypeOf } from "../select/resource-type.ts";
import type { Visit } from "../visit.ts";
import { type CutWave, cutWaves, type Precision } from "./cut-waves.ts";
import { perHost, simulateStep } from "./simulate-step.ts";
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
