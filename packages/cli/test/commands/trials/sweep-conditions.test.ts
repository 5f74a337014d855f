import { loadUrl } from "@bearhug/engine/run/load-test";
import type { UrlRequest } from "@bearhug/plan/protocol/definition-source";
import { readRunOptions, type WrittenOptions } from "@bearhug/plan/test-file/run-options";
import { expect, test } from "vitest";

import { describeConditions } from "../../../src/commands/trials/sweep-and-report.ts";

const plain: UrlRequest = { method: "GET", url: "http://127.0.0.1/", headers: [], body: null };

function conditionsOf(parts: Partial<UrlRequest> = {}, written: WrittenOptions = {}): Record<string, string> {
  return describeConditions([loadUrl({ ...plain, ...parts })], readRunOptions({ seed: "1", ...written }, []));
}

function differences(parts: Partial<UrlRequest>, written: WrittenOptions = {}): string[] {
  const [before, now] = [conditionsOf(), conditionsOf(parts, written)];
  return Object.keys(now).filter((name) => now[name] !== before[name]);
}

test("each condition has its own fingerprint, which contains no text of the requests", () => {
  expect(differences({})).toEqual([]);
  expect(differences({ method: "POST" })).toEqual(["method"]);
  expect(differences({ headers: [["x", "1"]] })).toEqual(["headers"]);
  expect(differences({ body: "hello" })).toEqual(["body"]);
  expect(differences({ url: "http://127.0.0.1/?b" })).toEqual(["URLs"]);
  expect(differences({}, { timeout: "2s" })).toEqual(["options"]);
  expect(differences({}, { seed: "2", workers: "1" })).toEqual([]);
  expect(conditionsOf({ body: new TextEncoder().encode("hello") })).toEqual(conditionsOf({ body: "hello" }));
  expect(Object.values(conditionsOf({ body: "secret" })).every((text) => /^[0-9a-f]{8}$/.test(text))).toBe(
    true,
  );
});
