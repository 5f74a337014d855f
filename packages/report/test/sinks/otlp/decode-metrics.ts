import { readFileSync } from "node:fs";

import { createFileRegistry, fromBinary, fromJsonString, toBinary, toJson } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import * as z from "zod";

/** OpenTelemetry's definitions of the metrics service and its dependencies, from opentelemetry-proto 1.45.2 on PyPI. */
const definitions = new URL("fixtures/otlp-metrics.binpb", import.meta.url);
const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(definitions)));
const service = "opentelemetry.proto.collector.metrics.v1";

const attributes = z
  .array(z.object({ key: z.string(), value: z.object({ stringValue: z.string().default("") }) }))
  .default([])
  .transform((pairs) => Object.fromEntries(pairs.map(({ key, value }) => [key, value.stringValue])));
const integer = z.string().default("0").transform(Number);
const times = { attributes, startTimeUnixNano: integer, timeUnixNano: integer };
const numberPoints = z.array(z.object({ ...times, asDouble: z.number() })).default([]);
const temporality = z
  .enum(["AGGREGATION_TEMPORALITY_DELTA", "AGGREGATION_TEMPORALITY_CUMULATIVE"])
  .transform((name) => (name === "AGGREGATION_TEMPORALITY_DELTA" ? "delta" : "cumulative"));

const histogramPoint = z.object({
  ...times,
  count: integer,
  sum: z.number().default(0),
  scale: z.number().default(0),
  zeroCount: integer,
  positive: z
    .object({ offset: z.number().default(0), bucketCounts: z.array(integer).default([]) })
    .default({ offset: 0, bucketCounts: [] }),
  min: z.number(),
  max: z.number(),
});

const metric = z.object({
  name: z.string(),
  description: z.string().default(""),
  unit: z.string().default(""),
  sum: z
    .object({ aggregationTemporality: temporality, isMonotonic: z.literal(true), dataPoints: numberPoints })
    .optional(),
  gauge: z.object({ dataPoints: numberPoints }).optional(),
  exponentialHistogram: z
    .object({ aggregationTemporality: temporality, dataPoints: z.array(histogramPoint) })
    .optional(),
});

const request = z.object({
  resourceMetrics: z.tuple([
    z.object({
      resource: z.object({ attributes }),
      scopeMetrics: z.tuple([
        z.object({
          scope: z.object({ name: z.string(), version: z.string() }),
          metrics: z.array(metric).default([]),
        }),
      ]),
    }),
  ]),
});

export type HistogramPoint = z.infer<typeof histogramPoint>;
export type DecodedMetric = z.infer<typeof metric>;

export interface DecodedRequest {
  readonly resource: Readonly<Record<string, string>>;
  readonly scope: { readonly name: string; readonly version: string };
  readonly metrics: ReadonlyMap<string, DecodedMetric>;
}

/** Decodes a request like any receiver, through the binary form. @throws if a field is not part of OTLP */
export function decodeMetrics(json: string): DecodedRequest {
  const type = registry.getMessage(`${service}.ExportMetricsServiceRequest`);
  if (type === undefined) throw new TypeError("the definitions lack the request");
  const binary = toBinary(type, fromJsonString(type, json));
  const [{ resource, scopeMetrics }] = request.parse(toJson(type, fromBinary(type, binary))).resourceMetrics;
  const [{ scope, metrics }] = scopeMetrics;
  return {
    resource: resource.attributes,
    scope,
    metrics: new Map(metrics.map((one) => [one.name, one])),
  };
}

/** Returns the bounds of the bucket with the percentile, by nearest rank. */
export function percentileBounds(
  { count, zeroCount, scale, positive }: HistogramPoint,
  percent: number,
): readonly [above: number, upTo: number] {
  let seen = zeroCount;
  const rank = Math.ceil((percent / 100) * count);
  if (rank <= seen) return [0, 0];
  const at = positive.bucketCounts.findIndex((bucket) => (seen += bucket) >= rank);
  const base = 2 ** (2 ** -scale);
  return [base ** (positive.offset + at), base ** (positive.offset + at + 1)];
}
