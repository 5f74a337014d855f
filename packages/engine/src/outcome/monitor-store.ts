import { getOrAdd } from "@bearhug/metrics/get-or-add";
import type { DescribedMonitor, MonitorReport, Reading } from "@bearhug/plan/monitors/monitor";
import type { MetricResult, MonitorStanding } from "@bearhug/sdk";
import type { MetricUnit, MonitoredGauge, MonitorGap, MonitorResult } from "@bearhug/sdk/result";

const maxGaps = 100;

/** The readings of one gauge, by second. */
interface GaugeSeconds {
  readonly unit: MetricUnit;
  readonly seconds: Map<number, number>;
}

interface MonitorSeconds {
  readonly gauges: Map<string, GaugeSeconds>;
  /** The reasons why nothing was read, by second. */
  readonly gaps: Map<number, string>;
  readonly read: Set<number>;
}

/**
 * The readings of all monitors, by second. If several machines watch one server, the first reading of a
 * second counts.
 */
export class MonitorStore {
  readonly #monitors = new Map<string, MonitorSeconds>();

  /**
   * Adds a report. Returns the number of seconds that each reading covers; null if the report is ignored or
   * is a gap.
   */
  add({ second, monitor, readings, gap }: MonitorReport): ReadonlyMap<string, number> | null {
    const { gauges, gaps, read } = this.#of(monitor);
    if (read.has(second)) return null;
    if (gap !== null) {
      if (!gaps.has(second)) gaps.set(second, gap);
      return null;
    }
    read.add(second);
    gaps.delete(second);
    return new Map(
      Object.entries(readings).map(([gauge, reading]) => [gauge, addReading(gauges, gauge, second, reading)]),
    );
  }

  /**
   * Returns each monitor's latest reading at the end of a second. The reading of that second may still be
   * pending.
   */
  standings(second: number): MonitorStanding[] {
    return Array.from(this.#monitors, ([name, { gauges, gaps, read }]) => ({
      name,
      gap: read.has(second) ? null : (gaps.get(second) ?? gaps.get(second - 1) ?? null),
      gauges: Array.from(gauges, ([gauge, { unit, seconds }]) => ({
        metric: `${name}.${gauge}`,
        unit,
        value: seconds.get(second) ?? seconds.get(second - 1) ?? null,
      })).sort(byMetric),
    }));
  }

  /** @param intervals the intervals of the run; each gauge gets one point per interval */
  results(
    monitors: readonly DescribedMonitor[],
    intervals: { readonly count: number; readonly widthMs: number },
  ): MonitorResult[] {
    return monitors.map(({ name, source }) => {
      const { gauges, gaps } = this.#of(name);
      return {
        name,
        source,
        gauges: [...gauges]
          .map(([gauge, seconds]) => describeGauge(`${name}.${gauge}`, seconds, intervals))
          .sort(byMetric),
        gaps: joinGaps(gaps).slice(0, maxGaps),
      };
    });
  }

  #of(monitor: string): MonitorSeconds {
    return getOrAdd(this.#monitors, monitor, () => ({
      gauges: new Map(),
      gaps: new Map(),
      read: new Set(),
    }));
  }
}

function byMetric(left: { readonly metric: string }, right: { readonly metric: string }): number {
  return left.metric < right.metric ? -1 : 1;
}

/** Returns monitored gauges in the form of a result's other metrics. */
export function monitoredMetrics(monitors: readonly MonitorResult[]): Record<string, MetricResult> {
  const gauges = monitors.flatMap((monitor) => monitor.gauges);
  return Object.fromEntries(
    gauges.map(({ metric, unit, values }) => [metric, { type: "gauge", unit, values }] as const),
  );
}

/**
 * Adds a reading. A rate is the mean since the previous reading, so it fills all seconds without one. Returns
 * their number.
 */
function addReading(
  gauges: MonitorSeconds["gauges"],
  gauge: string,
  second: number,
  { value, unit, seconds: counted = 1 }: Reading,
): number {
  const { seconds } = gauges.get(gauge) ?? { seconds: new Map<number, number>() };
  gauges.set(gauge, { unit, seconds });
  seconds.set(second, value);
  let first = second;
  while (first > Math.max(0, second - counted + 1) && !seconds.has(first - 1)) seconds.set(--first, value);
  return second - first + 1;
}

function describeGauge(
  metric: string,
  { unit, seconds }: GaugeSeconds,
  { count, widthMs }: { readonly count: number; readonly widthMs: number },
): MonitoredGauge {
  const points = Array.from({ length: count }, () => ({ sum: 0, readings: 0 }));
  let [sum, min, max] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let latest = { second: -1, value: 0 };
  for (const [second, value] of seconds) {
    sum += value;
    min = Math.min(min, value);
    max = Math.max(max, value);
    if (second > latest.second) latest = { second, value };
    const point = points[Math.floor((second * 1000) / widthMs)];
    if (point === undefined) continue;
    point.sum += value;
    point.readings++;
  }
  return {
    metric,
    unit,
    values: { value: latest.value, avg: sum / seconds.size, min, max },
    points: points.map((point) => (point.readings === 0 ? null : point.sum / point.readings)),
  };
}

/** Joins consecutive seconds with the same reason into one gap. */
function joinGaps(gaps: ReadonlyMap<number, string>): MonitorGap[] {
  const joined: { fromMs: number; toMs: number; reason: string }[] = [];
  for (const [second, reason] of [...gaps].sort(([left], [right]) => left - right)) {
    const fromMs = second * 1000;
    const last = joined.at(-1);
    if (last?.reason === reason && last.toMs === fromMs) last.toMs += 1000;
    else joined.push({ fromMs, toMs: fromMs + 1000, reason });
  }
  return joined;
}
