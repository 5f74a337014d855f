import type { TestResult } from "@bearhug/sdk";
import { expect } from "vitest";

import { expectBalanced, sum } from "../end-to-end/expect-balanced.ts";
import { requestsPerConnection, type LogLine } from "./access-log.ts";

/** Nothing went wrong, and what was counted is what nginx logged: names, statuses, protocols and connections. */
export function expectLogToAgree(result: TestResult, log: readonly LogLine[]): void {
  expect(result.errors).toEqual([]);
  expectBalanced(result);
  expect(sum(result, "sent"), "requests sent").toBe(log.length);
  expect(sum(result, "succeeded") + sum(result, "failed"), "requests ended").toBe(log.length);
  expect(answersOf(result)).toEqual(answersIn(log));
  expect(countOf(result, "connections_opened"), "connections").toBe(requestsPerConnection(log).length);
}

/** Of HTTP/1.1 without TLS nginx logs every byte of the wire. */
export function expectBytesToAgree(result: TestResult, log: readonly LogLine[]): void {
  const total = (of: (line: LogLine) => number): number => log.reduce((before, line) => before + of(line), 0);
  expect(countOf(result, "data_received"), "bytes received").toBe(total(({ bytesSent }) => bytesSent));
  expect(countOf(result, "data_sent"), "bytes sent").toBe(total(({ requestBytes }) => requestBytes));
}

export function countOf({ metrics }: TestResult, name: string): number {
  const metric = metrics[name];
  return metric?.type === "counter" ? metric.values.count : 0;
}

/** How often each name, without the host that it may show, was answered with each status in each protocol. */
function answersOf({ series }: TestResult): Record<string, number> {
  const answers: Record<string, number> = {};
  for (const { metric, tags, values } of series) {
    if (metric !== "http_reqs" || tags["scenario"] === undefined) continue;
    const name = tags["name"]?.replace(/ [^/ ]+\//, " /");
    const answer = `${name} ${tags["status"]} ${tags["protocol"]}`;
    answers[answer] = (answers[answer] ?? 0) + (values["count"] ?? 0);
  }
  return answers;
}

function answersIn(log: readonly LogLine[]): Record<string, number> {
  const answers: Record<string, number> = {};
  for (const { method, path, status, protocol } of log) {
    const answer = `${method} ${path} ${status} ${protocol}`;
    answers[answer] = (answers[answer] ?? 0) + 1;
  }
  return answers;
}
