import { describe, expect, test } from "vitest";

import { gatherExamples } from "../../src/html/example-data.ts";
import { gatherWaterfalls, waterfallPhases } from "../../src/html/waterfall-data.ts";
import { exemplary } from "../exemplary-result.ts";
import { medianVisit, slowVisit } from "../exemplars.ts";
import { passed } from "../passed-result.ts";

describe("the waterfalls of a result", () => {
  const [median, slow] = gatherWaterfalls(exemplary).items;

  test("state which visits they show, and have one scale per page", () => {
    expect(median).toMatchObject({
      id: "waterfall-1",
      title: "home, median visit",
      spanMs: slowVisit.durationMs,
      note: "71.4 ms (median of all visits: 22.6 ms); 4 requests; began at 1.67 s in readers",
    });
    expect(slow).toMatchObject({
      id: "waterfall-2",
      title: "home, slow visit",
      spanMs: slowVisit.durationMs,
      note: "140 ms (95th percentile of all visits: 63.6 ms); 2 requests of 4; began at 2.21 s in readers",
    });
  });

  test("have each exchange with its phases, which add up to its time", () => {
    expect(median?.rows.map(({ name }) => name)).toEqual(medianVisit.exchanges.map(({ name }) => name));
    for (const { phasesMs, totalMs } of median?.rows ?? [])
      expect(phasesMs.reduce((sum, ms) => sum + ms, 0)).toBeCloseTo(totalMs, 6);
    const [, style] = median?.rows ?? [];
    const phases = Object.fromEntries(
      waterfallPhases.map(({ label }, index) => [label, style?.phasesMs[index]]),
    );
    expect(phases).toMatchObject({ "looking up": 0.4, connecting: 1.5, TLS: 2.5, waiting: 20.5 });
    expect(phases["queued"]).toBeCloseTo(0, 6);
  });

  test("show the trace id of each exchange that has one", () => {
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    const [first, second] = medianVisit.exchanges.map((one, index) =>
      index === 0 ? { ...one, traceId } : one,
    );
    const exchanges = [first, second].filter((one) => one !== undefined);
    const exemplars = { pages: [{ ...medianVisit, exchanges }], errors: [] };
    const [{ rows } = { rows: [] }] = gatherWaterfalls({ ...exemplary, exemplars }).items;
    expect(rows.map(({ trace }) => trace)).toEqual([traceId, null]);
  });

  test("mark failed exchanges", () => {
    expect(median?.rows.map(({ status, tone }) => [status, tone])).toEqual([
      ["200", "plain"],
      ["200", "plain"],
      ["200", "plain"],
      ["503", "bad"],
    ]);
  });
});

test("examples have the request, the response, and a command that repeats the request", () => {
  const [example, ...others] = gatherExamples(exemplary).items;
  expect(others).toEqual([]);
  expect(example).toMatchObject({
    title: "HTTP_503: POST /cart",
    request: [
      "POST http://127.0.0.1:8080/cart?session=***",
      "content-type: application/json",
      "authorization: Bearer ***",
      "user-agent: bearhug/0.1.0",
      "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
      "",
      `{"item":"it's 1","password":"***"}`,
    ].join("\n"),
    response: `HTTP/1.1 503\ncontent-type: application/json\nretry-after: 2\n\n{"error":"overloaded"}\n`,
    command: expect.stringMatching(/^curl -i -X POST 'http:/) as string,
    notes: ["Set $SESSION, $AUTHORIZATION, $PASSWORD first: secrets are masked."],
  });
});

test("a result without exemplars has no waterfalls or examples", () => {
  expect([...gatherWaterfalls(passed).items, ...gatherExamples(passed).items]).toEqual([]);
});

test("waterfalls are limited to the page's size, and the others are counted", () => {
  const [exchange] = medianVisit.exchanges;
  const exchanges = Array.from({ length: 100 }, () => ({ ...exchange!, url: "u".repeat(256) }));
  const pages = Array.from({ length: 40 }, () => ({ ...medianVisit, exchanges }));
  const { items, note } = gatherWaterfalls({ ...exemplary, exemplars: { pages, errors: [] } });
  expect(items.length).toBeGreaterThan(3);
  expect(JSON.stringify(items).length).toBeLessThan(260_000);
  expect(note).toContain(`scale. ${40 - items.length} more are in the result as JSON.`);
});

test("pages without an example are counted", () => {
  const [page] = exemplary.pages;
  const pages = ["home", "search", "cart"].map((name) => ({ ...page!, name }));
  expect(gatherWaterfalls({ ...exemplary, pages }).note).toMatch(/scale\. 2 other pages have no example\.$/);
});
