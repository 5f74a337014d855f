import { readOtlpOptions } from "./otlp/otlp-options.ts";
import { readPrometheusOptions } from "./prometheus/prometheus-options.ts";
import type { SinkRequest } from "./sink.ts";

/** A sink, with the `--out` that requests it. */
export type NamedSink = SinkRequest & { readonly out: string };

/** Reads each `--out` that names a sink. Adds a sentence to `problems` for each part that cannot be used. */
export function readSinks(
  outs: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  problems: string[],
): NamedSink[] {
  return outs.flatMap((out): NamedSink[] => {
    const [, kind, address] = /^([^=]*)(?:=(.*))?$/s.exec(out) ?? [];
    if (kind === "otlp")
      return [{ out, kind, options: readOtlpOptions(out, address, environment, problems) }];
    if (kind === "prometheus") return [{ out, kind, options: readPrometheusOptions(out, address, problems) }];
    return [];
  });
}
