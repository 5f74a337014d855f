import type { ClientKind, ClientMetric } from "@bearhug/plan/clients/client-kind";
import { httpMetrics, phaseNames, requestPhases } from "@bearhug/sdk/internal";

/** The phases of a request: two digits are enough for these, and there are many of them. */
const phases: ReadonlySet<string> = new Set(phaseNames.map((phase) => requestPhases[phase].metric));

const http: ClientKind = {
  name: "http",
  // TypeScript in the source tree, JavaScript in the package: package.json says which.
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

/** The kinds of clients that every run has. A further kind is registered here. */
export const builtInClients: readonly ClientKind[] = [http];
