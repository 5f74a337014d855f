import { expect, test } from "vitest";

import { renderComparison } from "../../compare/markdown.ts";
import { someResults } from "./some-results.ts";

test("a comparison says where it was measured, which targets were met, and every figure with its range", () => {
  expect(renderComparison(someResults)).toMatchInlineSnapshot(`
    "![Requests per second of load tools](images/performance.svg)

    Measured on 2026-11-23: Some CPU, 2 cores, 24 GB, Debian 12, Linux 6.18.1. wrk 4.1.0, nginx 1.22.1. Not installed, and so left out: oha.
    Each figure is the median of up to 3 rounds of 3 s; the range is that of all rounds.

    ### Targets

    | case | target | measured |
    | --- | --- | --- |
    | 6 bytes, 64 connections: requests/s of \`bearhug <url>\` | at least 0.6 × wrk | **missed**: 0.58 × |
    | first request of a small script | within 300 ms | 280 ms |
    | first request of a small script | not after k6's (170 ms) | **missed**: 280 ms |

    ### 6 bytes, 64 connections

    | tool | requests/s | CPU, µs a request | server's CPU, µs | peak memory, MB | rounds |
    | --- | ---: | ---: | ---: | ---: | ---: |
    | wrk | 100,000 (90,000 to 110,000) † | 10.0 (9.1 to 11.1) | 5.0 | 10 | 3 |
    | \`bearhug <url>\` | 58,000 (50,000 to 66,000) | 17.6 (15.2 to 20.0) | 5.0 | 10 | 2 |

    † The server's core was full: the tool could do more. \`bearhug <url>\` failed in 1 of 3 rounds. k6 failed in 1 of 1 rounds.

    ### First request

    From the start of the process until the server has the first bytes, for a test of one virtual user, on one core.

    | tool | ms | rounds |
    | --- | ---: | ---: |
    | k6 | 170 | 1 |
    | bearhug, script | 280 (250 to 999) | 3 |"
  `);
});

test("parts that were not measured are left out", () => {
  const unmeasured = { name: "tls", title: "TLS", results: [] };
  const text = renderComparison({ ...someResults, cases: [unmeasured], firstRequest: [] });
  expect(text).not.toContain("###");
});

test("a case that nobody could do has no table, and says so", () => {
  const [plain] = someResults.cases;
  const failed = plain!.results.filter(({ tool }) => tool === "k6");
  const text = renderComparison({
    ...someResults,
    firstRequest: [],
    cases: [{ ...plain!, results: failed }],
  });
  expect(text).toMatch(/### 6 bytes, 64 connections\n\nk6 failed in 1 of 1 rounds\.$/);
});
