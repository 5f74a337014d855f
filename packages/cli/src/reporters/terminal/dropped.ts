import { timeOfVus, type TestResult } from "@bearhug/sdk";
import { formatCount } from "../../format/number.ts";
import { formatPercent } from "../../format/percent.ts";
import { renderMore } from "./more.ts";
import type { Style } from "./style.ts";

const mostShown = 10;

/** Why iterations were dropped, and what to do about it: a paragraph for each scenario and reason, the most frequent first. */
export function renderDropped(result: TestResult, style: Style): string[] {
  const drops = dropsOf(result).toSorted((left, right) => right.count - left.count);
  return [
    ...drops.slice(0, mostShown).flatMap((drop) => style.paragraph(explain(drop, result, style))),
    ...renderMore(drops.length - mostShown, style),
  ];
}

interface Drops {
  readonly count: number;
  /** Null where it is not known. */
  readonly scenario: string | null;
  readonly reason: string | null;
}

/** As the series tell; what they do not tell of, for workers were lost, has no reason. */
function dropsOf({ series, accounting }: TestResult): Drops[] {
  const told = new Map<string, Drops>();
  for (const { metric, tags, values } of series) {
    if (metric !== "dropped_iterations") continue;
    const { scenario = null, reason = null } = tags;
    if (values["count"] === 0) continue; // A counter of 0 stands where nothing was dropped.
    const key = JSON.stringify([scenario, reason]);
    const count = (told.get(key)?.count ?? 0) + (values["count"] ?? 0);
    told.set(key, { count, scenario, reason });
  }
  const drops = [...told.values()];
  const untold = accounting.iterations.dropped - drops.reduce((sum, { count }) => sum + count, 0);
  return untold > 0 ? [...drops, { count: untold, scenario: null, reason: null }] : drops;
}

function explain(drop: Drops, result: TestResult, style: Style): string {
  const { count, scenario, reason } = drop;
  const many = `${formatCount(count)} ${count === 1 ? "iteration" : "iterations"}`;
  const owner = scenario === null || result.plan.scenarios.length < 2 ? "" : ` of ${style.text(scenario)}`;
  const lost = `${many}${owner} ${count === 1 ? "was" : "were"} dropped: `;
  switch (reason) {
    case "busy":
      return `${lost}all VUs that may run them were busy. ${adviseBusy(drop, result)}`;
    case "queue full":
      return `${lost}all VUs were busy, and as many waited as may. ${adviseBusy(drop, result)}`;
    case "late":
      return (
        `${lost}the generator came too late, which is no fault of the target's. ` +
        "Add workers or machines, lower the rate, or look for code in the test that blocks."
      );
    case "stopped":
      return `${lost}they were due, or waited for a VU, when the scenario was stopped.`;
    case "time":
      return `${lost}maxDuration ended before they could start. ${adviseTime(drop, result)}`;
    case null:
    default:
      return `${lost}this result does not say why.`;
  }
}

/** VUs are busy with the target, or with what the test does besides; only where the figures tell is it said. */
function adviseBusy({ scenario }: Drops, result: TestResult): string {
  const time = scenario === null ? null : timeOfVus(result, scenario);
  const strained =
    result.generator.verdict === "healthy"
      ? ""
      : ` The generator was ${result.generator.verdict}, which makes all of this longer: see Generator first.`;
  switch (time?.spentOn) {
    case "hung":
      return (
        "They hung in requests that the target did not answer: more VUs would hang as well. " +
        `Find out why it does not answer.${strained}`
      );
    case "test":
      return (
        `At most ${formatPercent(time.mostInRequests ?? 0, 0)} of their time went into requests, the rest into what the test ` +
        `does besides, such as sleep and think: raise maxVUs.${strained}`
      );
    case "requests":
      return (
        "Most of their time they waited for answers: raise maxVUs if the target can take more at once, " +
        `or see it as its limit.${strained}`
      );
    case "unclear":
    case undefined:
      return (
        "Raise maxVUs; if more are dropped or answers get slower even so, this is the target's limit, " +
        `or the generator's.${strained}`
      );
  }
}

function adviseTime({ scenario }: Drops, { plan }: TestResult): string {
  const executor = plan.scenarios.find(({ name }) => name === scenario)?.executor;
  return executor === "shared-iterations"
    ? "Raise maxDuration or vus, or ask for fewer iterations."
    : "Raise maxDuration, or ask for fewer iterations.";
}
