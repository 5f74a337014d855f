import { sumBy } from "@bearhug/metrics/sum";
import type { IntervalSnapshot, RunDescription, ScenarioSnapshot } from "@bearhug/sdk";
import type { RunMoment } from "@bearhug/sdk/result";
import { formatBytes } from "@bearhug/text/bytes";
import { formatDuration, formatPlanned } from "@bearhug/text/duration";
import { markLowerBound, formatCount, formatRate } from "@bearhug/text/number";
import { formatPercent } from "@bearhug/text/percent";

import { describeMissing } from "../missing-agents.ts";
import { figure, generatorTones } from "./figure-data.ts";
import { liveGaugeLines } from "./monitor-data.ts";
import { errorsSoFar, secondsLeft, thresholdsSoFar } from "../model/current-state.ts";
import { badCountCell, type Cell, countCell, name, number, type Table, valueCell } from "../model/table.ts";
import type { Figure, PageData, VerdictData } from "./page-data.ts";
import { shownTable } from "./table-data.ts";
import { gatherCharts } from "./timeline-data.ts";

/** The live page shows the last ten minutes of a run; the report at its end shows all of it. */
const shownSeconds = 600;

export class LivePageData {
  #title: string;
  #last: IntervalSnapshot | null = null;
  #moments: RunMoment[] = [];
  /** The monitors' readings, one entry for each of `#moments`. */
  #readings: Pick<IntervalSnapshot, "monitors">[] = [];

  /** `title` is shown until the test has a name. */
  constructor(title: string) {
    this.#title = title;
  }

  start({ test }: RunDescription): void {
    this.#title = test.name;
  }

  add(snapshot: IntervalSnapshot): void {
    if (!snapshot.isWarmup) {
      this.#moments.push(momentOf(snapshot, this.#last));
      this.#readings.push(snapshot.monitors === undefined ? {} : { monitors: snapshot.monitors });
    }
    if (this.#moments.length > shownSeconds) {
      this.#moments.shift();
      this.#readings.shift();
    }
    this.#last = snapshot;
  }

  get(): PageData {
    const snapshot = this.#last;
    return {
      isRunning: true,
      title: this.#title,
      verdict: describeState(snapshot),
      about: { title: "About this run", entries: [] },
      figures: snapshot === null ? [] : gatherFigures(snapshot),
      timeline: gatherCharts(this.#moments, [], liveGaugeLines(this.#readings)),
      percentiles: null,
      compared: null,
      comparisons: [],
      waterfalls: { items: [], note: "" },
      examples: { items: [], note: "" },
      tables:
        snapshot === null
          ? []
          : [thresholdsSoFar(snapshot), scenarios(snapshot), errorsSoFar(snapshot)].flatMap(shownTable),
      download: null,
    };
  }
}

function momentOf(snapshot: IntervalSnapshot, before: IntervalSnapshot | null): RunMoment {
  const { atMs, requestRate, failedRate, vus, scenarios: all } = snapshot;
  const last = before?.isWarmup === true ? null : before;
  const widthS = (atMs - (before?.atMs ?? 0)) / 1000;
  return {
    atMs,
    p50Ms: snapshot.p50Ms,
    p95Ms: snapshot.p95Ms,
    p99Ms: snapshot.p99Ms,
    requestRate,
    failedRequestRate: requestRate * failedRate,
    vus,
    iterationRate: sumBy(all, ({ iterationRate }) => iterationRate),
    droppedRate: (snapshot.dropped - (last?.dropped ?? 0)) / widthS,
    receivedRate: (snapshot.receivedBytes - (before?.receivedBytes ?? 0)) / widthS,
  };
}

function describeState(snapshot: IntervalSnapshot | null): VerdictData {
  const reason = (text: string): { text: string; frame: string } => ({ text, frame: "" });
  if (snapshot === null)
    return { tone: "plain", word: "starting", reasons: [reason("The load has not started.")] };
  const { isWarmup, elapsedMs, generator, thresholds: standings } = snapshot;
  const failing = standings.filter(({ passed }) => passed === false).length;
  const missing = describeMissing(snapshot);
  const soFar = `${failing} of ${standings.length} thresholds`;
  const isHealthy = generator.verdict === "healthy" && missing === null;
  return {
    tone: failing > 0 ? "bad" : isHealthy ? "plain" : "warning",
    word: isWarmup ? "warming up" : "running",
    reasons: [
      reason(`Running for ${formatPlanned(Math.round(elapsedMs / 1000) * 1000)}.`),
      ...(failing === 0 ? [] : [reason(`${soFar} ${failing === 1 ? "fails" : "fail"} so far.`)]),
      ...(missing === null ? [] : [reason(missing)]),
      ...generator.reasons.map(reason),
    ],
  };
}

function gatherFigures(snapshot: IntervalSnapshot): Figure[] {
  const { requestRate, requests, failedRate, vus, receivedBytes, generator } = snapshot;
  return [
    figure("Requests", formatRate(requestRate), `${formatCount(requests)} so far`),
    figure("Failed requests", formatPercent(failedRate), lastSecond, failedRate > 0 ? "bad" : "good"),
    timeFigure("Median time", snapshot.p50Ms, snapshot.isP50LowerBound),
    timeFigure("95th percentile", snapshot.p95Ms, snapshot.isP95LowerBound),
    timeFigure("99th percentile", snapshot.p99Ms, snapshot.isP99LowerBound),
    figure("Received", formatBytes(receivedBytes), "so far"),
    figure("Virtual users", formatCount(vus), "at work"),
    figure("Load generator", generator.verdict, "so far", generatorTones[generator.verdict]),
  ];
}

const lastSecond = "in the last second";

function timeFigure(label: string, ms: number | null, isLowerBound: boolean): Figure {
  const text = ms === null ? "no response" : markLowerBound(formatDuration(ms), isLowerBound);
  return figure(label, text, lastSecond);
}

function scenarios({ scenarios: all }: IntervalSnapshot): Table {
  return {
    id: "scenarios",
    title: "Scenarios",
    note: "in the last second, and so far",
    columns: [
      name("scenario"),
      ...["progress", "time left", "offered/s", "achieved/s", "iterations", "dropped", "virtual users"].map(
        (title) => number(title),
      ),
    ],
    rows: all.map((one) => ({
      cells: [
        { text: one.name },
        valueCell(one.progress, (share) => formatPercent(share, 0)),
        timeLeft(one),
        valueCell(one.plannedRate, formatRate),
        valueCell(one.iterationRate, formatRate),
        countCell(one.iterations),
        badCountCell(one.dropped),
        countCell(one.vus),
      ],
    })),
  };
}

function timeLeft({ startsInMs, leftMs }: ScenarioSnapshot): Cell {
  if (startsInMs > 0) return { text: `starts in ${secondsLeft(startsInMs)}` };
  return valueCell(leftMs, secondsLeft);
}
