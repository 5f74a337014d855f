import { expect, test } from "vitest";

import { renderComparison } from "../../compare/markdown.ts";
import { someResults } from "./some-results.ts";

test("a comparison states where it was measured, which targets were met, every median, and the range of noisy figures", () => {
  expect(renderComparison(someResults)).toMatchInlineSnapshot(`
    "![Requests per second of load tools](images/performance.svg)

    Measured on 2026-11-23: Some CPU, 2 cores, 24 GB, Debian 12, Linux 6.18.1. wrk 4.1.0, nginx 1.22.1. Not installed, and so left out: oha.
    Figures are medians of up to 3 rounds of 3 s. [All rounds](../bench/results.json) have more tools and cases.

    <!-- prettier-ignore -->
    | case | tool | 1,000 requests/s | range | CPU, µs | memory, MB |
    | --- | --- | ---: | ---: | ---: | ---: |
    | 6 bytes, 64 connections | wrk | 100.0 † | 90.0 to 110.0 | 10.0 | 10 |
    |  | \`bearhug <url>\` | 58.0 | 50.0 to 66.0 | 17.6 | 10 |

    † The server's core was full: the tool could do more.

    6 bytes, 64 connections: \`bearhug <url>\` failed in 1 of 3 rounds, k6 failed in 1 of 1 rounds.

    ### First seconds

    Requests of the first two seconds after the first of 64 connections, divided by the median of seconds 3 to 6.

    <!-- prettier-ignore -->
    | case | tool | first second | range | next second |
    | --- | --- | ---: | ---: | ---: |
    | 6 bytes, TLS, 64 connections | \`bearhug <url>\` | 0.49 | 0.40 to 0.60 | 0.90 |

    6 bytes, TLS, 64 connections: k6 failed in 1 of 1 rounds.

    ### First request

    From the start of the process until the server has the first bytes, for a test of one virtual user, on one core.

    <!-- prettier-ignore -->
    | tool | ms | range |
    | --- | ---: | ---: |
    | k6 | 170 |  |
    | bearhug, script | 280 | 250 to 999 |

    ### Targets

    A target of several cases has a figure for each, in the order of the first table. Figures in bold miss it.

    <!-- prettier-ignore -->
    | figure | target | measured |
    | --- | --- | --- |
    | 6 bytes: requests/s of \`bearhug <url>\` | at least 0.8 × wrk | **0.58** |
    | 6 bytes: peak memory of \`bearhug <url>\` | at most 100 MB | 10 MB |
    | first second of \`bearhug <url>\` | at least 0.5 × its steady rate | **0.49** |
    | first request of a script | within 250 ms | **280 ms** |
    | first request of a script | not after k6's (170 ms) | **280 ms** |"
  `);
});

test("parts that were not measured are left out", () => {
  const unmeasured = { name: "tls", title: "TLS", results: [] };
  const text = renderComparison({ ...someResults, cases: [unmeasured], firstSeconds: [], firstRequest: [] });
  expect(text).not.toContain("###");
  expect(text).not.toContain("| ");
});

test("a case in which every tool failed has no table, and the failures are listed", () => {
  const [plain] = someResults.cases;
  const failed = plain!.results.filter(({ tool }) => tool === "k6");
  const text = renderComparison({
    ...someResults,
    firstSeconds: [],
    firstRequest: [],
    cases: [{ ...plain!, results: failed }],
  });
  expect(text).toMatch(/\n\n6 bytes, 64 connections: k6 failed in 1 of 1 rounds\.$/);
  expect(text).not.toContain("| ");
});

test("a tool that was measured only once has a row only if one round was wanted", () => {
  const [plain] = someResults.cases;
  const once = plain!.results.map((result) => ({ ...result, rounds: result.rounds.slice(0, 1) }));
  const cases = [{ ...plain!, results: once }];
  const rowsOf = (wantedRounds: number): string[] =>
    renderComparison({ ...someResults, wantedRounds, cases })
      .split("\n")
      .filter((line) => line.includes("| 100.0 † |") || line.includes("| 50.0 |"));
  expect(rowsOf(3)).toEqual([]);
  expect(rowsOf(1)).toHaveLength(2);
});
