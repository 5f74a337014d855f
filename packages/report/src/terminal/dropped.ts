import { sumBy } from "@bearhug/metrics/sum";
import type { TestResult } from "@bearhug/sdk";
import { classifyVuTime } from "@bearhug/sdk/result";
import { formatCounted } from "@bearhug/text/number";
import { formatPercent } from "@bearhug/text/percent";

import { byCount } from "../model/errors.ts";
import { renderMore } from "./table-section.ts";
import type { Style } from "./style.ts";

const mostShown = 10;

/** Explains dropped iterations and their remedy: a paragraph for each scenario and reason, the most frequent first. */
export function renderDropped(result: TestResult, style: Style): string[] {
  const drops = dropsOf(result).toSorted(byCount);
  return [
    ...drops.slice(0, mostShown).flatMap((drop) => style.paragraph(explain(drop, result, style))),
    ...renderMore(drops.length - mostShown, style),
  ];
}

interface Drops {
  readonly count: number;
  /** Null if unknown. */
  readonly scenario: string | null;
  readonly reason: string | null;
}

/**
 * Returns dropped iterations by reason, from the series. Those of lost workers are in no series, so their
 * reason is unknown.
 */
function dropsOf({ series, accounting }: TestResult): Drops[] {
  const explained = new Map<string, Drops>();
  for (const { metric, tags, values } of series) {
    if (metric !== "dropped_iterations") continue;
    const { scenario = null, reason = null } = tags;
    if (values["count"] === 0) continue; // The counter also exists where nothing was dropped.
    const key = JSON.stringify([scenario, reason]);
    const count = (explained.get(key)?.count ?? 0) + (values["count"] ?? 0);
    explained.set(key, { count, scenario, reason });
  }
  const drops = [...explained.values()];
  const unexplained = accounting.iterations.dropped - sumBy(drops, ({ count }) => count);
  return unexplained > 0 ? [...drops, { count: unexplained, scenario: null, reason: null }] : drops;
}

function explain(drop: Drops, result: TestResult, style: Style): string {
  const { count, scenario, reason } = drop;
  const many = formatCounted(count, "iteration");
  const owner = scenario === null || result.plan.scenarios.length < 2 ? "" : ` of ${style.text(scenario)}`;
  const lost = `${many}${owner} ${count === 1 ? "was" : "were"} dropped: `;
  switch (reason) {
    case "busy":
      return `${lost}all VUs were busy. ${adviseBusy(drop, result)}`;
    case "queue full":
      return `${lost}all VUs were busy, and the queue was full. ${adviseBusy(drop, result)}`;
    case "late":
      return (
        `${lost}the generator fell behind; not the target's fault. ` +
        "Add workers or machines, lower the rate, or look for blocking code in the test."
      );
    case "stopped":
      return `${lost}the scenario was stopped while they were due or waiting for a VU.`;
    case "late_start":
      return `${lost}they were due before the load began. Start the machine earlier, or choose a later --start-at.`;
    case "time":
      return `${lost}maxDuration ended before they could start. Raise maxDuration, or run fewer iterations; if VUs share them, raising vus helps, too.`;
    case null:
    default:
      return `${lost}the reason was not recorded.`;
  }
}

/** Explains whether VUs are busy with the target or with other work of the test, if the figures show it. */
function adviseBusy({ scenario }: Drops, result: TestResult): string {
  const time = scenario === null ? null : classifyVuTime(result, scenario);
  const strained =
    result.generator.verdict === "healthy"
      ? ""
      : ` The generator was ${result.generator.verdict}, which makes all of this slower: see Generator first.`;
  switch (time?.spentOn) {
    case "hung":
      return (
        "They were waiting for requests that the target never answered: more VUs would hang too. " +
        `Find out why the target does not respond.${strained}`
      );
    case "test":
      return (
        `At most ${formatPercent(time.mostInRequests ?? 0, 0)} of their time was spent in requests, the rest elsewhere in the ` +
        `test, such as in sleep and think: raise maxVUs.${strained}`
      );
    case "requests":
      return (
        "They spent most of their time waiting for responses: raise maxVUs. If the target cannot take more " +
        `concurrent requests, this is its limit.${strained}`
      );
    case "unclear":
    case undefined:
      return (
        "Raise maxVUs. If drops continue or responses get slower, this is the limit of the target " +
        `or of the generator.${strained}`
      );
  }
}
