import { mostVus } from "../executors/load-models.ts";
import { stripeSize, type Stripe } from "../pacing/stripe.ts";
import type { PlannedScenario, RunPlan } from "../protocol/plan.ts";

/**
 * The plan of one worker. Of the connections that all workers share out it has its stripe, and spreads its requests over
 * them: HTTP/2 would put as many as the server allows on the first.
 */
export function planOfWorker(plan: RunPlan, index: number): RunPlan {
  const { sharedConnections: total, workers } = plan;
  if (total === null) return plan;
  const stripe = { index, count: workers };
  return { ...plan, scenarios: plan.scenarios.map((planned) => withConnections(planned, total, stripe)) };
}

function withConnections(planned: PlannedScenario, total: number, stripe: Stripe): PlannedScenario {
  const { scenario } = planned;
  const maxConnections = stripeSize(total, stripe);
  const requests = stripeSize(mostVus(scenario), stripe);
  const maxConcurrentStreams = Math.min(
    scenario.http.maxConcurrentStreams,
    Math.max(1, Math.ceil(requests / maxConnections)),
  );
  const http = { ...scenario.http, connections: "shared" as const, maxConnections, maxConcurrentStreams };
  return { ...planned, scenario: { ...scenario, http } };
}
