import type { Reporter } from "@bearhug/sdk";

import type { OtlpOptions } from "./otlp/otlp-options.ts";
import type { ListenOptions } from "../local-server/listen.ts";
import type { SinkListener } from "./sink-listener.ts";

/**
 * The description of a sink, which receives the metrics of a run while it lasts. Plain data that crosses
 * threads.
 */
export type SinkRequest =
  | { readonly kind: "otlp"; readonly options: OtlpOptions }
  | { readonly kind: "prometheus"; readonly options: ListenOptions };

/** Opens a sink in its own thread, before the load begins. Rejects if the sink cannot work. */
export async function openSink({ kind, options }: SinkRequest, listener: SinkListener): Promise<Reporter> {
  switch (kind) {
    case "otlp":
      return (await import("./otlp/otlp-sink.ts")).openOtlp(options, listener);
    case "prometheus":
      return (await import("./prometheus/prometheus-sink.ts")).openPrometheus(options, listener);
  }
}
