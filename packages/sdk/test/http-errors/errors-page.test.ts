import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { connectionErrors } from "../../src/http-errors/connection-errors.ts";
import { dnsErrors } from "../../src/http-errors/dns-errors.ts";
import { http2Errors } from "../../src/http-errors/http2-errors.ts";
import { proxyErrors } from "../../src/http-errors/proxy-errors.ts";
import { recordedErrors } from "../../src/http-errors/recorded-errors.ts";
import { requestErrors } from "../../src/http-errors/request-errors.ts";
import { responseErrors } from "../../src/http-errors/response-errors.ts";
import { tlsErrors } from "../../src/http-errors/tls-errors.ts";
import { httpErrorCatalog } from "../../src/index.ts";
import { renderErrorsPage, type ErrorGroup } from "./render-errors-page.ts";

const file = join(import.meta.dirname, "../../../../docs/errors.md");

const introduction = [
  "Every exchange that fails has a code: in `response.error.code`, and in the errors of the summary and of the result, with how often and when first. Beside the code stand a sentence, the `phase` in which it happened, and the `cause`: the system's own code, or the name of the HTTP/2 error, where there is one.",
  "What never connected is no latency sample; it counts in `http_req_failed`. What failed later is in `http_req_duration` with the time that it took; where bearhug gave up waiting, that time is a [lower bound](metrics.md#lower-bounds).",
  "This page is made from the catalogue in `@bearhug/sdk` (`httpErrorCatalog`), which programs may read.",
];

const groups: readonly ErrorGroup[] = [
  { title: "Names", words: "", errors: dnsErrors },
  { title: "Connections", words: "", errors: connectionErrors },
  { title: "Proxies", words: "Only where the test names a `proxy`.", errors: proxyErrors },
  {
    title: "TLS",
    words: "Verification is on unless the test switches it off. Options are those of `http.tls`.",
    errors: tlsErrors,
  },
  { title: "Responses", words: "", errors: responseErrors },
  { title: "HTTP/2", words: "", errors: http2Errors },
  { title: "Requests", words: "", errors: requestErrors },
  {
    title: "Other errors of the summary",
    words: "These stand in the errors of a result, and are no codes of `response.error`.",
    errors: recordedErrors,
  },
];

describe("docs/errors.md", () => {
  test("is what the catalogue says (vitest --update writes it anew)", async () => {
    await expect(renderErrorsPage(introduction, groups)).toMatchFileSnapshot(file);
  });

  test("has every code of the catalogue, once", () => {
    const listed = groups.flatMap(({ errors }) => Object.keys(errors));
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed).toEqual([...Object.keys(httpErrorCatalog), ...Object.keys(recordedErrors)]);
  });

  test("says of each what happened, why and what to do, in sentences", () => {
    for (const [code, { summary, cause, remedy }] of groups.flatMap(({ errors }) => Object.entries(errors))) {
      for (const words of [summary, cause, remedy]) expect(words, code).toMatch(/^[^\n|]{10,}[.)]$/);
    }
  });
});
