import type { ClientKind, ClientMetric } from "@bearhug/plan/clients/client-kind";
import { httpMetrics, phaseNames, requestPhases } from "@bearhug/sdk/internal";

/** The metrics of request phases, which are numerous: two digits are enough for these. */
const phases: ReadonlySet<string> = new Set(phaseNames.map((phase) => requestPhases[phase].metric));

const http: ClientKind = {
  name: "http",
  // TypeScript in the source tree, JavaScript in the published package: package.json maps `#http-clients`.
  module: import.meta.resolve("#http-clients"),
  metrics: Object.fromEntries(
    Object.entries(httpMetrics).map(([name, { type, unit }]): [string, ClientMetric] => [
      name,
      { type, unit, isDetail: phases.has(name) },
    ]),
  ),
  roles: {
    operations: "http_reqs",
    failed: "http_req_failed",
    duration: "http_req_duration",
    responseTime: "http_req_response_time",
  },
};

/** The kinds of clients that every run has. Register further kinds here. */
export const builtInClients: readonly ClientKind[] = [http];
