import type { WorkerSnapshot } from "@bearhug/plan/protocol/messages";
import { asMasked } from "@bearhug/text/masked-text";
import { createMask } from "@bearhug/text/secret-mask";
import { describe, expect, test } from "vitest";

import { maskLocate, maskResult, maskRun, maskSnapshot, maskState } from "../../src/outcome/mask-inputs.ts";
import type { RecordedRun } from "../../src/outcome/run-record.ts";
import type { RunState } from "../../src/outcome/run-state.ts";
import { failedExchange, pageExchange } from "../../../report/test/exemplars.ts";
import { recordedMoment, recordedRun } from "../recording/recorded.ts";
import { exemplary } from "../../../report/test/exemplary-result.ts";
import { thresholdOf } from "../../../metrics/test/thresholds/threshold-of.ts";

const secret = "s3cret-token";
const text = asMasked(`a ${secret} b`);
const position = { line: 1, column: 2 };
const request = {
  name: `GET /${secret}`,
  started: 1,
  sent: 1,
  succeeded: 1,
  failed: 0,
  interrupted: 0,
  lost: 0,
};
const requests = [request];

function firstSnapshot(): WorkerSnapshot {
  const [input] = recordedMoment(0).inputs;
  if (input?.kind !== "snapshot") throw new TypeError("the moment begins with a snapshot");
  return input.snapshot;
}

const run: RecordedRun = {
  ...recordedRun,
  plan: recordedRun.plan && {
    ...recordedRun.plan,
    testName: text,
    baseUrl: `http://${secret}/`,
    allowHosts: [`${secret}.test`],
    scenarios: recordedRun.plan.scenarios.map(({ scenario }) => ({
      scenario: { ...scenario, name: text },
      description: "1 VU",
    })),
  },
  thresholds: [
    {
      threshold: thresholdOf(`checks{user:${secret}}`, "rate>0.5"),
      source: null,
    },
  ],
};

const state: RunState = {
  ...recordedMoment(0).state,
  accounting: {
    ...recordedMoment(0).state.accounting,
    requests,
    setup: { requests, oddities: [{ code: "ERROR_PAGE", name: text, message: text, count: 1 }] },
    teardown: { requests },
    warmup: { iterations: recordedMoment(0).state.accounting.iterations, requests },
  },
  workers: [{ id: 0, lost: text, isRunning: false }],
  failures: [
    {
      stage: "setup",
      thrown: {
        message: text,
        position,
        failedRequests: [{ name: text, code: "HTTP_401", origin: `http://${secret}` }],
      },
    },
  ],
  unmeasured: [{ host: text, stage: "setup", requests: 1, connections: 1, refused: 0, position }],
  abortReason: text,
};

const snapshot: WorkerSnapshot = {
  ...firstSnapshot(),
  series: [{ id: 0, tags: { user: text, plain: "GET /" }, metrics: {} }],
  errors: [
    {
      code: "E",
      cause: null,
      message: text,
      name: text,
      origin: `http://${secret}`,
      firstAtMs: 0,
      count: 1,
      position,
    },
  ],
  checkFaults: [
    { check: text, scenario: text, page: text, group: text, message: text, firstAtMs: 1, position, count: 1 },
  ],
  unmeasured: [{ host: text, stage: "load", requests: 1, connections: 1, refused: 0, position }],
  overflow: { name: text, tags: text, foldedTags: ["user"] },
  exemplars: {
    pages: [
      {
        page: text,
        scenario: text,
        kind: "slow",
        atMs: 1,
        durationMs: 2,
        leftOut: 0,
        exchanges: [{ ...pageExchange, name: text, url: `http://127.0.0.1/${secret}` }],
      },
    ],
    errors: [
      {
        ...failedExchange,
        name: text,
        url: `http://127.0.0.1/${secret}`,
        message: text,
        scenario: text,
        page: text,
        request: { headers: [["x-user", secret]], body: { text, isWhole: true, bytes: 9 } },
        response: { headers: [[secret, text]], body: { text, isWhole: false, bytes: 900 } },
      },
    ],
  },
};

const inputs = [
  ["the description of a run", run, maskRun(run, createMask([secret]).hide)],
  ["the state of a run", state, maskState(state, createMask([secret]).hide)],
  ["a worker's snapshot", snapshot, maskSnapshot(snapshot, createMask([secret]).hide)],
] as const;

test.each(inputs)(
  "%s is masked in every text that is not bearhug's own, and nowhere else",
  (_, given, masked) => {
    expect(JSON.stringify(given)).toContain(secret);
    expect(JSON.stringify(masked)).not.toContain(secret);
    expect(masked).toEqual(JSON.parse(JSON.stringify(given).replaceAll(secret, "***")));
  },
);

describe("inputs whose secrets are words that bearhug itself uses", () => {
  const words = [
    "test",
    "count",
    "passed",
    "schema",
    "name",
    "trend",
    "http",
    "200",
    "setup",
    "null",
    "load",
  ];

  /** Returns every path to a value, with the value; texts are all treated alike. */
  function structureOf(value: unknown, path = ""): Map<string, unknown> {
    if (typeof value !== "object" || value === null)
      return new Map([[path, typeof value === "string" ? "a text" : value]]);
    return new Map(
      Object.entries(value).flatMap(([name, part]) => [...structureOf(part, `${path}/${name}`)]),
    );
  }

  test("keep their structure, and the values that readers rely on", () => {
    const { hide } = createMask(words);
    const described = maskRun(recordedRun, hide);
    expect(structureOf(described)).toEqual(structureOf(recordedRun));
    expect(described.tool).toEqual(recordedRun.tool);
    expect(described.plan?.metrics).toEqual(recordedRun.plan?.metrics);
    expect(described.plan?.scenarios[0]?.scenario.executor).toBe("constant-vus");
    const masked = maskState(state, hide);
    expect(structureOf(masked)).toEqual(structureOf(state));
    expect(masked.failures[0]?.stage).toBe("setup");
    const maskedSnapshot = maskSnapshot(firstSnapshot(), hide);
    expect(structureOf(maskedSnapshot)).toEqual(structureOf(firstSnapshot()));
    expect(Object.keys(maskedSnapshot.series[0]?.metrics ?? {})).toEqual(["http_reqs", "http_req_duration"]);
  });
});

describe("without secrets", () => {
  test("inputs stay as they are", () => {
    const { hide } = createMask([]);
    expect(maskRun(recordedRun, hide)).toEqual(recordedRun);
    expect(maskState(recordedMoment(0).state, hide)).toEqual(recordedMoment(0).state);
    expect(maskSnapshot(firstSnapshot(), hide)).toEqual(firstSnapshot());
  });
});

test("texts are masked before they are cut", () => {
  const long = asMasked(`${"m".repeat(8180)}${secret}${"m".repeat(1_000_000)}`);
  const { hide } = createMask([secret]);
  const source = { file: "t.ts", line: 1, column: 1 };
  const masked = maskSnapshot(
    { ...snapshot, checkFaults: snapshot.checkFaults.map((fault) => ({ ...fault, message: long })) },
    hide,
  );
  const shown = [
    maskLocate(() => ({ source, frame: long }), hide)(position)?.frame,
    maskState({ ...state, workers: [{ id: 0, lost: long, isRunning: false }] }, hide).workers[0]?.lost,
    masked.checkFaults[0]?.message,
  ];
  for (const one of shown) expect(one).toMatch(/^m{8180}\*{3}m{6}…$/);
});

test("source lines in a message are unchanged, except for secret literals", () => {
  const { hide } = createMask(["dk-Zq7w9x4K"]);
  const frame = (first: string, second: string): string =>
    `  > 6 |   const token = await extract(login, "${first}");\n      |                       ^\n    7 |   const password = "${second}";`;
  const reason = (token: string, first: string, second: string): string =>
    `all 2 iterations of s failed; first error: Error: token=${token} at t.ts:6:23\n${frame(first, second)}`;
  const { messages } = maskResult(
    { ...exemplary, messages: [reason("q-Zq7w9", "dk-Zq7w9x4K", "hunter22")] },
    hide,
  );
  expect(messages).toEqual([reason("***", "***", "***")]);
});
