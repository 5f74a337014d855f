import type { Reporter } from "@bearhug/sdk";

import type { OtlpOptions } from "./otlp/otlp-options.ts";
import type { PrometheusOptions } from "./prometheus/prometheus-options.ts";
import type { SinkTeller } from "./sink-teller.ts";

/** A request for a sink: where the metrics of a run go while it runs. Plain data that crosses threads. */
export type SinkRequest =
  | { readonly kind: "otlp"; readonly options: OtlpOptions }
  | { readonly kind: "prometheus"; readonly options: PrometheusOptions };

/** Opens the sink of an order, in its thread. Rejects if it cannot work, before the load begins. */
export async function openSink({ kind, options }: SinkRequest, teller: SinkTeller): Promise<Reporter> {
  switch (kind) {
    case "otlp":
      return (await import("./otlp/otlp-sink.ts")).openOtlp(options, teller);
    case "prometheus":
      return (await import("./prometheus/prometheus-sink.ts")).openPrometheus(options, teller);
  }
}
