import { overloadBaseRate } from "@bearhug/engine/trials/run-overload";
import type { TestResult } from "@bearhug/sdk";
import { expect, test } from "vitest";

import {
  readCapacity,
  type CapacityFlags,
  type CapacityRequest,
} from "../../../src/commands/trials/capacity-request.ts";
import { createCommand } from "../../../src/commands/trials/capacity.ts";
import { addOverload, composeSearch } from "../../../src/commands/trials/compose-search.ts";
import { classifyOverload } from "../../../../engine/src/outcome/overload/classify-overload.ts";
import { queueingServer, simulate } from "../../../../engine/test/outcome/overload/simulated-server.ts";
import { foundCapacity } from "../../../../report/test/found-capacity.ts";
import { resultOf } from "../../../../report/test/result-of.ts";

const { capacity } = foundCapacity;
const load = { rate: 150, factor: 2, phaseMs: 6000 };
const overload = classifyOverload(load, simulate(load, queueingServer(4), 1).seconds);

function requestOf(...line: readonly string[]): CapacityRequest {
  return read(...line).request;
}

function read(...line: readonly string[]): { request: CapacityRequest; problems: string[] } {
  const command = createCommand();
  command.parseOptions(["--slo", "http_req_response_time: p(99)<25ms", ...line]);
  const problems: string[] = [];
  return { request: readCapacity(["127.0.0.1"], command.opts<CapacityFlags>(), problems), problems };
}

function compose(
  line: readonly string[],
  parts: Partial<typeof capacity>,
  result = resultOf({}),
): TestResult {
  const isCutShort = result.verdict === "interrupted";
  return composeSearch(
    { capacity: { ...capacity, ...parts }, result, isCutShort },
    requestOf(...line),
    "SIGINT",
  );
}

test("an overload exceeds the rate to rely on, if the search found one", () => {
  expect(overloadBaseRate(capacity)).toBe(794.2);
  expect(overloadBaseRate({ ...capacity, answer: "generator-limited" })).toBeNull();
  expect(overloadBaseRate({ ...capacity, unit: "vus" })).toBeNull();
  expect(overloadBaseRate({ ...capacity, answer: "not-met-at-lowest", low: null })).toBeNull();
});

test("a note explains why no overload was tried", () => {
  const skipped = "no overload was tried: ";
  const none = { answer: "not-met-at-lowest", low: null } as const;
  expect(compose(["--overload", "2"], none).notes.join()).toContain(skipped);
  expect(compose([], none).notes.join()).not.toContain(skipped);
  expect(compose(["--overload", "2"], {}).notes.join()).not.toContain(skipped);
});

test("what the run noted about the target stays, such as a redirect that was measured in place of a page", () => {
  const redirect = "GET / redirects to http://127.0.0.1/login (status 302), which was not followed";
  expect(compose([], {}, resultOf({ notes: [redirect] })).notes.at(-1)).toBe(redirect);
});

test("an interrupted search reports how far it came, and nothing about thresholds", () => {
  const stopped = resultOf({ verdict: "interrupted", exitCode: 105, messages: ["interrupted by SIGINT; …"] });
  const of = (parts: Partial<typeof capacity>): readonly string[] => compose([], parts, stopped).messages;
  expect(of({})).toEqual([
    "interrupted by SIGINT: the search ended after 3 trials; so far, the capacity lies between 794.2/s and 831.0/s",
  ]);
  expect(of({ high: null })).toEqual([
    "interrupted by SIGINT: the search ended after 3 trials; so far, the capacity lies above 794.2/s",
  ]);
  expect(of({ low: null, high: null, trials: capacity.trials.slice(0, 1) })).toEqual([
    "interrupted by SIGINT: the search ended after 1 trial, and no load was decided",
  ]);
});

test("a failure during an overload does not fail the search", () => {
  const past = resultOf({ verdict: "failed", exitCode: 99, messages: ["no request succeeded"], overload });
  expect(addOverload(foundCapacity, past, null)).toEqual({ ...foundCapacity, overload });
});

test("an interrupted overload does not change the answer of the search", () => {
  const past = resultOf({
    verdict: "interrupted",
    exitCode: 105,
    messages: ["interrupted by SIGINT; …"],
    overload,
  });
  expect(addOverload(foundCapacity, past, "SIGINT")).toMatchObject({
    verdict: "interrupted",
    exitCode: 105,
    capacity,
    overload,
    notes: foundCapacity.notes,
    messages: ["interrupted by SIGINT during the overload"],
  });
});

test("--overload works only with a rate", () => {
  expect(read("--overload", "2", "--search", "vus").problems).toEqual([
    "--overload: exceeds a rate, so it cannot be combined with --search vus. Remove one of them.",
  ]);
  expect(read("--overload", "2")).toMatchObject({
    problems: [],
    request: { overload: 2, options: { overload: null } },
  });
});

test("a note below the answer of a search reports trials that contradict each other", () => {
  const [lower, upper] = [capacity.trials[1], capacity.trials[0]];
  if (lower === undefined || upper === undefined) throw new Error("no trials");
  const trials = [
    { ...upper, verdict: "PASS" },
    { ...lower, verdict: "FAIL" },
  ] as const;
  expect(compose([], { trials }).notes[1]).toMatch(
    /contradict each other: PASS at 1000\/s, but FAIL at 780\.0\/s/,
  );
  expect(compose([], {}).notes).toHaveLength(1);
});
