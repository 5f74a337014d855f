import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { connectionErrors, dnsErrors } from "../../src/http-errors/connection-errors.ts";
import { http2Errors } from "../../src/http-errors/http2-errors.ts";
import { proxyErrors } from "../../src/http-errors/proxy-errors.ts";
import { recordedErrors } from "./recorded-errors.ts";
import { requestErrors } from "../../src/http-errors/request-errors.ts";
import { responseErrors } from "../../src/http-errors/response-errors.ts";
import { tlsErrors } from "../../src/http-errors/tls-errors.ts";
import { httpErrorCatalog } from "../../src/http-errors/error-catalog.ts";
import { renderErrorsPage, type ErrorGroup } from "./render-errors-page.ts";

const file = join(import.meta.dirname, "../../../../docs/errors.md");

const introduction = [
  "Every failed request has a code. You find it in `response.error.code`, and among the errors of the summary and of the result, with its count and when it first occurred. Each error also has a message, the `phase` in which it failed, and, where known, a `cause`: the operating system's code or the HTTP/2 error name.",
  "A request that never got a connection counts in `http_req_failed`, but is not a latency sample. A request that failed later counts in `http_req_duration` with the time it took. If bearhug gave up waiting, that time is a [lower bound](metrics.md#lower-bounds).",
  "This page is generated from the catalog in `@bearhug/sdk` (`httpErrorCatalog`), which programs can read too.",
];

const groups: readonly ErrorGroup[] = [
  { title: "DNS", words: "", errors: dnsErrors },
  { title: "Connections", words: "", errors: connectionErrors },
  { title: "Proxies", words: "These occur only if the test sets `proxy`.", errors: proxyErrors },
  {
    title: "TLS",
    words: "Certificates are verified unless the test turns that off. The options belong to `http.tls`.",
    errors: tlsErrors,
  },
  { title: "Responses", words: "", errors: responseErrors },
  { title: "HTTP/2", words: "", errors: http2Errors },
  { title: "Requests", words: "", errors: requestErrors },
  {
    title: "Other errors in the summary",
    words: "A result may list these errors too. They never appear in `response.error`.",
    errors: recordedErrors,
  },
];

describe("docs/errors.md", () => {
  test("matches the catalog (vitest --update regenerates it)", async () => {
    await expect(renderErrorsPage(introduction, groups)).toMatchFileSnapshot(file);
  });

  test("has every code of the catalog once", () => {
    const listed = groups.flatMap(({ errors }) => Object.keys(errors));
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed).toEqual([...Object.keys(httpErrorCatalog), ...Object.keys(recordedErrors)]);
  });

  test("explains each code in sentences: what happened, why, and what to do", () => {
    for (const [code, { summary, cause, remedy }] of groups.flatMap(({ errors }) => Object.entries(errors))) {
      for (const words of [summary, cause, remedy]) expect(words, code).toMatch(/^[^\n|]{10,}[.)]$/);
    }
  });
});
