import { describe, expect, test } from "vitest";

import { parseObjectives } from "../../../src/trials/capacity/read-objectives.ts";

function read(...texts: string[]): ReturnType<typeof parseObjectives> & { problems: string[] } {
  const problems: string[] = [];
  return { ...parseObjectives(texts, problems), problems };
}

test("a percentile is read as the share of requests that may take longer", () => {
  expect(read("http_req_response_time: p(99.5)<200ms", "http_req_failed: rate<0.1%")).toEqual({
    objectives: [
      {
        text: "http_req_response_time: p(99.5)<200ms",
        metric: "http_req_response_time",
        judges: "share",
        bound: expect.closeTo(0.005, 12) as number,
        limitMs: 200,
      },
      {
        text: "http_req_failed: rate<0.1%",
        metric: "http_req_failed",
        judges: "share",
        bound: 0.001,
        limitMs: null,
      },
    ],
    added: 0,
    problems: [],
  });
});

test("the median is a percentile, and the average is judged as a mean", () => {
  const { objectives } = read("http_req_duration: med<=20ms", "http_req_duration: avg<0.1s");
  expect(objectives).toMatchObject([
    { judges: "share", bound: 0.5, limitMs: 20 },
    { judges: "mean", bound: 100, limitMs: null },
    { text: "http_req_failed: rate<1%" },
  ]);
});

test("the average of a monitored gauge is judged as a mean, in its unit", () => {
  expect(read("server.cpu: avg<70%", "db.memory: avg<2GB").objectives).toMatchObject([
    { metric: "server.cpu", judges: "mean", bound: 70, gaugeUnit: "%" },
    { metric: "db.memory", judges: "mean", bound: 2e9, gaugeUnit: "bytes" },
    { text: "http_req_failed: rate<1%" },
  ]);
});

test("without an objective for failures, 1 % of requests may fail", () => {
  const { objectives, added } = read("http_req_duration: p(95)<1s");
  expect(added).toBe(1);
  expect(objectives.at(-1)).toMatchObject({ text: "http_req_failed: rate<1%", bound: 0.01 });
});

describe("objectives that cannot be judged get one sentence each", () => {
  test.each([
    ["foo", 'must be written "metric: expression", such as "http_req_response_time: p(99)<200ms".'],
    ["server.cpu: avg<80", 'server.cpu is in percent: write its bound with "%", such as avg<80%.'],
    ["server.cpu: max<80%", "capacity judges the avg of a gauge; write it in place of max."],
    ["server.cpu: avg>80%", "an objective must be an upper bound; write < in place of >."],
    [
      "server.cpu{page:home}: avg<80%",
      "server.cpu is read by a monitor and has no tags: leave the filter out.",
    ],
    [
      "checks: rate>99%",
      "capacity judges http_req_response_time, http_req_duration, http_req_failed and gauges of monitors only.",
    ],
    ["http_req_duration{page:home}: p(99)<1s", "capacity judges all requests; leave the tags out."],
    [
      "http_req_duration: max<1s",
      "capacity judges p(N) with N between 0 and 100, med and avg; p(99.9) in place of max.",
    ],
    ["http_req_duration: p(99)>1s", "an objective must be an upper bound; write < in place of >."],
    [
      "http_req_failed: rate<0%",
      "a failure rate of exactly 0 cannot be proven by sampling. Allow a small rate, such as rate<0.1%.",
    ],
    [
      "http_req_duration: p(99)<5%",
      '"%" does not fit http_req_duration, which is a trend: only rates are written in percent.',
    ],
  ])("%s", (text, why) => {
    expect(read(text).problems).toEqual([`--slo "${text}": ${why}`]);
  });

  test("the same one twice, however it is written", () => {
    expect(read("http_req_duration: p(99)<1s", "http_req_duration:p(99) < 1000ms").problems).toEqual([
      '--slo "http_req_duration:p(99) < 1000ms": the same objective is given twice; leave one out.',
    ]);
    expect(read("http_req_duration: p(99)<1s", "http_req_duration: p(95)<1s").problems).toEqual([]);
  });

  test("none at all", () => {
    expect(read().problems).toEqual([
      `--slo: give at least one, such as --slo "http_req_response_time: p(99)<200ms".`,
    ]);
  });
});
