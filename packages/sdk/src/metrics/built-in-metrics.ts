export const metricTypes = ["counter", "gauge", "rate", "trend"] as const;

/**
 * How a metric's samples are combined: a sum, the latest value, a share of samples, or a distribution of
 * values.
 */
export type MetricType = (typeof metricTypes)[number];

export const metricUnits = ["ms", "bytes", "%", "bytes/s", "/s"] as const;

/**
 * The unit of a metric's values; null for plain numbers. Times are in milliseconds. Only monitored gauges are
 * in % or per second.
 */
export type MetricUnit = (typeof metricUnits)[number] | null;

/** The metrics of HTTP requests. */
export const httpMetrics = {
  http_reqs: { type: "counter", unit: null, description: "Requests that were answered or failed." },
  http_req_duration: {
    type: "trend",
    unit: "ms",
    description: "Sending, waiting and receiving of a request.",
  },
  http_req_blocked: {
    type: "trend",
    unit: "ms",
    description:
      "Waiting for a connection and to be written: look-up, connecting and TLS included when it is new.",
  },
  http_req_looking_up: { type: "trend", unit: "ms", description: "Resolving the host's name (DNS)." },
  http_req_connecting: {
    type: "trend",
    unit: "ms",
    description: "Opening the TCP connection, and a proxy's tunnel.",
  },
  http_req_tls_handshaking: { type: "trend", unit: "ms", description: "The TLS handshake." },
  http_req_sending: { type: "trend", unit: "ms", description: "Writing the request." },
  http_req_waiting: {
    type: "trend",
    unit: "ms",
    description: "From the request written to the first byte of the response.",
  },
  http_req_receiving: {
    type: "trend",
    unit: "ms",
    description: "From the first byte of the response to its last.",
  },
  http_req_response_time: {
    type: "trend",
    unit: "ms",
    description:
      "From the call (open models: of an iteration's first request, from its intended start) to the last byte.",
  },
  http_req_failed: {
    type: "rate",
    unit: null,
    description: "Share of requests without an expected response.",
  },
} as const;

/** The metrics of every test, whatever its virtual users send. */
export const engineMetrics = {
  iterations: { type: "counter", unit: null, description: "Iterations that ended by themselves." },
  iteration_duration: { type: "trend", unit: "ms", description: "An iteration, from start to end." },
  iteration_response_time: {
    type: "trend",
    unit: "ms",
    description: "An iteration, from its intended start to its end.",
  },
  iteration_failed: {
    type: "rate",
    unit: null,
    description: "Share of iterations that threw, or had a request that was never answered.",
  },
  vu_time_lost: {
    type: "rate",
    unit: null,
    description:
      "Share of the virtual users' time that went to requests never answered, to timeouts and to back-off.",
  },
  dropped_iterations: {
    type: "counter",
    unit: null,
    description: "Iterations that were due, but never started.",
  },
  schedule_lag: {
    type: "trend",
    unit: "ms",
    description: "Intended start to the moment the pacer woke: the generator's own lateness.",
  },
  vu_wait: {
    type: "trend",
    unit: "ms",
    description:
      "Waiting for a free virtual user when an iteration is due: a slow target, or too few virtual users.",
  },
  vus: { type: "gauge", unit: null, description: "Virtual users at work." },
  vus_max: { type: "gauge", unit: null, description: "Virtual users that exist." },
  checks: { type: "rate", unit: null, description: "Share of checks that held." },
  group_duration: { type: "trend", unit: "ms", description: "A `group`, from start to end." },
  pages: { type: "counter", unit: null, description: "Pages that ended." },
  page_duration: { type: "trend", unit: "ms", description: "A `page`, from start to end." },
  page_bytes: { type: "trend", unit: "bytes", description: "Bytes received for a `page`, on the wire." },
  data_sent: { type: "counter", unit: "bytes", description: "Bytes sent, on the wire." },
  data_received: { type: "counter", unit: "bytes", description: "Bytes received, on the wire." },
  connections_opened: { type: "counter", unit: null, description: "Connections that were opened." },
  tls_handshakes: { type: "counter", unit: null, description: "Connections that were opened with TLS." },
  connections_open: { type: "gauge", unit: null, description: "Connections that are open." },
} as const;

/** The metrics that bearhug records in every test: type, unit and meaning, by name. */
export const builtInMetrics: typeof httpMetrics & typeof engineMetrics = { ...httpMetrics, ...engineMetrics };

/** Name of a metric that every test has. */
export type BuiltInMetricName = keyof typeof builtInMetrics;

/** The type of each metric that every test has, by its name. */
export type BuiltInMetrics = {
  readonly [Name in BuiltInMetricName]: (typeof builtInMetrics)[Name]["type"];
};

/** Returns true for a metric that every test has, so that no test can declare it. */
export function isBuiltInMetric(name: string): name is BuiltInMetricName {
  return Object.hasOwn(builtInMetrics, name);
}
