import { operationMetrics, type ClientKind } from "../../src/clients/client-kind.ts";

const roles = {
  operations: "tcp_pings",
  failed: "tcp_ping_failed",
  duration: "tcp_ping_duration",
  responseTime: "tcp_ping_response_time",
};

/** The registration of a client for a protocol other than HTTP. */
export const tcp: ClientKind = {
  name: "tcp",
  module: new URL("ping-client.ts", import.meta.url).href,
  metrics: operationMetrics(roles),
  roles,
};
