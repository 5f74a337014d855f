import type { TestResult } from "@bearhug/sdk";
import { expect } from "vitest";

import { expectBalanced, sum } from "../end-to-end/expect-balanced.ts";
import { requestsPerConnection, type LogLine } from "./access-log.ts";

/** Expects no errors, and the counts of nginx's log: by name, status and protocol, and of connections. */
export function expectLogToAgree(result: TestResult, log: readonly LogLine[]): void {
  expect(result.errors).toEqual([]);
  expectBalanced(result);
  expect(sum(result, "sent"), "requests sent").toBe(log.length);
  expect(sum(result, "succeeded") + sum(result, "failed"), "requests ended").toBe(log.length);
  expect(responsesOf(result)).toEqual(responsesIn(log));
  expect(countOf(result, "connections_opened"), "connections").toBe(requestsPerConnection(log).length);
}

/** Expects the bytes of nginx's log, which counts every byte on the wire for HTTP/1.1 without TLS. */
export function expectBytesToAgree(result: TestResult, log: readonly LogLine[]): void {
  const total = (of: (line: LogLine) => number): number => log.reduce((before, line) => before + of(line), 0);
  expect(countOf(result, "data_received"), "bytes received").toBe(total(({ bytesSent }) => bytesSent));
  expect(countOf(result, "data_sent"), "bytes sent").toBe(total(({ requestBytes }) => requestBytes));
}

export function countOf({ metrics }: TestResult, name: string): number {
  const metric = metrics[name];
  return metric?.type === "counter" ? metric.values.count : 0;
}

/** Returns the number of responses by name (without a host), status and protocol. */
function responsesOf({ series }: TestResult): Record<string, number> {
  const responses: Record<string, number> = {};
  for (const { metric, tags, values } of series) {
    if (metric !== "http_reqs" || tags["scenario"] === undefined) continue;
    const name = tags["name"]?.replace(/ [^/ ]+\//, " /");
    const key = `${name} ${tags["status"]} ${tags["protocol"]}`;
    responses[key] = (responses[key] ?? 0) + (values["count"] ?? 0);
  }
  return responses;
}

function responsesIn(log: readonly LogLine[]): Record<string, number> {
  const responses: Record<string, number> = {};
  for (const { method, path, status, protocol } of log) {
    const key = `${method} ${path} ${status} ${protocol}`;
    responses[key] = (responses[key] ?? 0) + 1;
  }
  return responses;
}
