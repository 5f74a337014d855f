import { ErrorLog } from "@bearhug/metrics/error-log";
import { ExemplarLog } from "@bearhug/metrics/exemplar-log";
import { metricCatalog } from "@bearhug/metrics/metric-catalog";
import { MetricRegistry } from "@bearhug/metrics/registry";
import { Scope } from "@bearhug/metrics/scope";
import { TargetLog } from "@bearhug/metrics/target-log";
import { StopSignal } from "@bearhug/sdk";
import { createMask } from "@bearhug/text/secret-mask";
import { expect, test } from "vitest";

import { Operations, type Operation } from "../../src/clients/operations.ts";
import { SharedAccounting } from "../../src/protocol/shared-accounting.ts";
import { Vu } from "../../../engine/src/worker/vu.ts";
import { FakeClock } from "../pacing/fake-clock.ts";
import { tcp } from "./ping-kind.ts";

const gracefulStop = { option: "gracefulStop", graceMs: 200 } as const;

/** Creates a VU whose only client is an `Operations`, with all that records what it does. */
function startOperations(secrets: readonly string[] = []) {
  const clock = new FakeClock();
  const mask = createMask(secrets);
  const accounting = new SharedAccounting();
  const registry = new MetricRegistry(metricCatalog({ clients: [tcp], metrics: {} }), mask);
  const errors = new ErrorLog(mask.hide);
  const scope = new Scope(registry, { scenario: "s" });
  const parts: ConstructorParameters<typeof Operations>[1] = {
    kind: tcp,
    clock,
    mask,
    warmup: null,
    vuState: null,
    load: {
      accounting,
      registry,
      errors,
      exemplars: new ExemplarLog(),
      targets: new TargetLog(),
      samples: null,
      tracer: null,
    },
    startedAtMs: () => 0,
  };
  const vu = new Vu(1, clock, { scope, page: null, visit: null, isWarmup: false, turn: null }, [
    (user) => {
      const operations = new Operations(user, parts);
      return { context: () => operations, interrupt: (grace) => operations.interrupt(grace) };
    },
  ]);
  const operations = vu.clients[0]?.context();
  if (!(operations instanceof Operations)) throw new TypeError("the client has no operations");
  const counts = () => accounting.requests()[0];
  const series = scope.seriesWith({ name: "op" });
  return { clock, vu, operations, counts, series, errors };
}

/** Waits until the hard stop aborts the operation. */
function hang({ sent, signal }: Operation): Promise<never> {
  sent();
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => {
      reject(new Error("closed"));
    });
  });
}

test("an operation resolves with its result, and is timed and counted", async () => {
  const { clock, operations, counts, series } = startOperations();
  const result = await operations.run("op", async () => {
    clock.jump(30);
    return Promise.resolve("pong");
  });
  expect(result).toBe("pong");
  expect(counts()).toMatchObject({ name: "op", client: "tcp", started: 1, sent: 1, succeeded: 1, failed: 0 });
  expect(series.trend("tcp_ping_duration")).toMatchObject({ count: 1, sum: 30_000, censored: null });
});

test("an operation that throws is a failure, and its message has no secrets", async () => {
  const { operations, counts, errors, series } = startOperations(["hunter2-hunter2"]);
  const failing = operations.run("op", () => Promise.reject(new Error("no entry for hunter2-hunter2")));
  await expect(failing).resolves.toBeNull();
  expect(counts()).toMatchObject({ started: 1, sent: 0, succeeded: 0, failed: 1 });
  expect(series.rate("tcp_ping_failed")).toMatchObject({ trues: 1 });
  expect(errors.drain()).toMatchObject([{ code: "FAILED", message: "op: no entry for ***", count: 1 }]);
});

test.each([
  ["there is no graceful stop", 5000, null, "interrupted"],
  ["it is too young to count as unanswered", 900, gracefulStop, "interrupted"],
  ["it is old enough to count as unanswered", 1100, gracefulStop, "failed"],
] as const)("the hard stop ends an operation: %s", async (_title, ageMs, grace, counted) => {
  const { clock, vu, operations, counts, series, errors } = startOperations();
  const running = operations.run("op", hang);
  clock.jump(ageMs);
  vu.stop(grace);
  await expect(running).rejects.toThrow(StopSignal);
  const isUnanswered = counted === "failed";
  expect(counts()).toMatchObject({
    started: 1,
    sent: 1,
    succeeded: 0,
    failed: 0,
    interrupted: 0,
    [counted]: 1,
  });
  expect([vu.hasUnanswered, vu.isIdle]).toEqual([isUnanswered, true]);
  expect(series.trend("tcp_ping_duration").censored?.count).toBe(isUnanswered ? 1 : undefined);
  expect(errors.drain().map(({ code, message }) => `${code} ${message}`)).toEqual(
    isUnanswered ? ["UNANSWERED op: no response before gracefulStop (200 ms) ran out"] : [],
  );
});

test("a slow response shows that others may still come", async () => {
  const { clock, vu, operations, counts } = startOperations();
  await operations.run("op", async () => {
    clock.jump(3000);
    return Promise.resolve();
  });
  const running = operations.run("op", hang);
  clock.jump(2900);
  vu.stop(gracefulStop);
  await expect(running).rejects.toThrow(StopSignal);
  expect(counts()).toMatchObject({ started: 2, succeeded: 1, interrupted: 1 });
});

test("no operation begins after the hard stop", async () => {
  const { clock, vu, operations, counts } = startOperations();
  vu.stop();
  const refused = expect(operations.run("op", hang)).rejects.toThrow(StopSignal);
  await clock.runTo(1);
  await refused;
  expect(counts()).toBeUndefined();
});
