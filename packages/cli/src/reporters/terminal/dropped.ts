import type { TestResult } from "@bearhug/sdk";
import { formatCount } from "../../format/number.ts";
import { loadModelOf } from "./load-model.ts";
import type { Style } from "./style.ts";

/** Why iterations were dropped, and what to do about it: one paragraph for each kind of load model that dropped some. */
export function renderDropped(result: TestResult, style: Style): string[] {
  const drops = dropsOf(result);
  const total = (wanted: Drops["model"]): number =>
    drops.filter(({ model }) => model === wanted).reduce((sum, { count }) => sum + count, 0);
  const [late, unfinished] = [total("scheduled"), total("counted")];
  return [
    ...(late === 0 ? [] : style.paragraph(adviseScheduled(late, result))),
    ...(unfinished === 0 ? [] : style.paragraph(adviseCounted(unfinished))),
  ];
}

interface Drops {
  readonly count: number;
  readonly model: ReturnType<typeof loadModelOf>;
}

/** By scenario, as the series tell; of a run with one scenario, as it was accounted. */
function dropsOf({ plan, series, accounting }: TestResult): Drops[] {
  const { dropped } = accounting.iterations;
  const [only, ...others] = plan.scenarios;
  if (dropped === 0 || only === undefined) return [];
  if (others.length === 0) return [{ count: dropped, model: loadModelOf(only.executor) }];
  return series.flatMap(({ metric, tags, values }) => {
    const scenario = plan.scenarios.find(({ name }) => name === tags["scenario"]);
    if (metric !== "dropped_iterations" || scenario === undefined) return [];
    return [{ count: values["count"] ?? 0, model: loadModelOf(scenario.executor) }];
  });
}

function adviseScheduled(dropped: number, { metrics, generator }: TestResult): string {
  const lost = `${iterations(dropped)} dropped`;
  const [busy, made] = [mostOf(metrics["vus"]), mostOf(metrics["vus_max"])];
  if (busy === null || made === null) return `${lost}: no VU was free when they were due.`;
  if (busy >= made) {
    return (
      `${lost}: all ${formatCount(made)} VUs were busy. Raise maxVUs if the target can take more, ` +
      "or see it as the limit: it answers too slowly for this rate."
    );
  }
  const seen = `${lost}, though no more than ${formatCount(busy)} of ${formatCount(made)} VUs were seen busy at once`;
  return generator.verdict === "healthy"
    ? `${seen}: all that may serve them were busy for moments. Raise maxVUs.`
    : `${seen}: the generator came too late for them. See Generator.`;
}

function adviseCounted(dropped: number): string {
  return `${iterations(dropped)} dropped: maxDuration ended before they could start. Raise maxDuration, or ask for fewer iterations.`;
}

function iterations(count: number): string {
  return `${formatCount(count)} ${count === 1 ? "iteration was" : "iterations were"}`;
}

function mostOf(metric: TestResult["metrics"][string] | undefined): number | null {
  return metric?.type === "gauge" ? metric.values.max : null;
}
