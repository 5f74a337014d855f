import { describe, expect, test } from "vitest";

import { readOtlpOptions, type OtlpOptions } from "../../../src/sinks/otlp/otlp-options.ts";

function read(environment: Record<string, string> = {}, address?: string): [OtlpOptions, string[]] {
  const problems: string[] = [];
  const out = address === undefined ? "otlp" : `otlp=${address}`;
  return [readOtlpOptions(out, address, environment, problems), problems];
}

describe("--out otlp", () => {
  test("sends metrics to a collector on this machine every 10 s by default", () => {
    const [options, problems] = read({ OTEL_EXPORTER_OTLP_HEADERS: "", OTEL_SERVICE_NAME: " " });
    expect(problems).toEqual([]);
    expect(options).toEqual({
      url: "http://127.0.0.1:4318/v1/metrics",
      headers: {},
      timeoutMs: 10_000,
      intervalMs: 10_000,
      isCompressed: false,
      temporality: "cumulative",
      resource: { "service.name": "bearhug" },
    });
  });

  const endpoint = "OTEL_EXPORTER_OTLP_ENDPOINT";
  const metricsEndpoint = "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT";
  test.each([
    [{ [endpoint]: "https://otel.example" }, undefined, "https://otel.example/v1/metrics"],
    [{ [endpoint]: "https://otel.example/team/" }, undefined, "https://otel.example/team/v1/metrics"],
    [{ [endpoint]: "http://a", [metricsEndpoint]: "http://b/own" }, undefined, "http://b/own"],
    [{ [metricsEndpoint]: "http://b" }, undefined, "http://b"],
    [{ [metricsEndpoint]: "http://b" }, "http://c:4318", "http://c:4318/v1/metrics"],
    [{}, "http://c/api/v2/otlp", "http://c/api/v2/otlp"],
  ])("with %j and the URL %s sends metrics to %s", (environment, address, url) => {
    const [options, problems] = read(environment, address);
    expect([options.url, problems]).toEqual([url, []]);
  });

  test("reads OpenTelemetry's variables, and prefers those for metrics", () => {
    const [options, problems] = read({
      OTEL_EXPORTER_OTLP_HEADERS: "x=1",
      OTEL_EXPORTER_OTLP_METRICS_HEADERS: " api-key=s%3Dcret%20x , other=2,",
      OTEL_EXPORTER_OTLP_TIMEOUT: "5000",
      OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: "2000",
      OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
      OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: "LowMemory",
      OTEL_METRIC_EXPORT_INTERVAL: "1000",
      OTEL_RESOURCE_ATTRIBUTES: "service.name=a,deployment.environment=stage",
      OTEL_SERVICE_NAME: "shop-load",
    });
    expect(problems).toEqual([]);
    expect(options).toMatchObject({
      headers: { "api-key": "s=cret x", other: "2" },
      timeoutMs: 2000,
      intervalMs: 1000,
      isCompressed: true,
      temporality: "delta",
      resource: { "service.name": "shop-load", "deployment.environment": "stage" },
    });
  });

  test.each([
    [
      {},
      "collector:4318",
      "--out otlp=collector:4318: must be written otlp=URL, such as otlp=http://127.0.0.1:4318.",
    ],
    [{}, "", "--out otlp=: must be written otlp=URL, such as otlp=http://127.0.0.1:4318."],
    [{ [endpoint]: "grpc://a" }, undefined, `${endpoint}: must be a URL, such as http://127.0.0.1:4318.`],
    [
      { [metricsEndpoint]: "a" },
      undefined,
      `${metricsEndpoint}: must be a URL, such as http://127.0.0.1:4318.`,
    ],
    [
      { OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: "5s" },
      undefined,
      "OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: must be a whole number of milliseconds, such as 10000.",
    ],
    [
      { OTEL_METRIC_EXPORT_INTERVAL: "0" },
      undefined,
      "OTEL_METRIC_EXPORT_INTERVAL: must be a whole number of milliseconds, such as 10000.",
    ],
    [
      { OTEL_EXPORTER_OTLP_HEADERS: "Bearer abc" },
      undefined,
      "OTEL_EXPORTER_OTLP_HEADERS: must be written name=value,name=value, with other characters percent-encoded.",
    ],
    [
      {},
      "https://user:s3cret@otel.example",
      "--out otlp=URL: the URL must not contain a user or a password. Set OTEL_EXPORTER_OTLP_HEADERS to authorization=Basic%20… instead.",
    ],
    [
      { [endpoint]: "https://user:s3cret@otel.example" },
      undefined,
      `${endpoint}: the URL must not contain a user or a password. Set OTEL_EXPORTER_OTLP_HEADERS to authorization=Basic%20… instead.`,
    ],
    [
      { OTEL_EXPORTER_OTLP_HEADERS: "authorization=s3c%0Aret" },
      undefined,
      "OTEL_EXPORTER_OTLP_HEADERS: has a name or a value that is not allowed in an HTTP header.",
    ],
    [
      { OTEL_RESOURCE_ATTRIBUTES: "a=%zz" },
      undefined,
      "OTEL_RESOURCE_ATTRIBUTES: must be written name=value,name=value, with other characters percent-encoded.",
    ],
    [
      { OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: "both" },
      undefined,
      "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: must be cumulative, delta or lowmemory.",
    ],
    [
      { OTEL_EXPORTER_OTLP_COMPRESSION: "br" },
      undefined,
      "OTEL_EXPORTER_OTLP_COMPRESSION: must be gzip or none.",
    ],
    [
      { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
      undefined,
      "OTEL_EXPORTER_OTLP_PROTOCOL: is grpc, but bearhug sends OTLP over HTTP. Set http/json, and use the collector's HTTP port, usually 4318.",
    ],
  ])("with %j and the URL %j is rejected: %s", (environment, address, problem) => {
    expect(read(environment, address)[1]).toEqual([problem]);
  });
});
