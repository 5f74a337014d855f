import { expect, test } from "vitest";
import type { Header } from "../../src/capture.ts";
import { dropManagedHeaders } from "../../src/request/draft-model.ts";

function keptOf(headers: readonly Header[]): string[] {
  return dropManagedHeaders(headers).map(([name]) => name);
}

test.each(
  [
    ":method :authority Host Connection Keep-Alive Content-Length Transfer-Encoding TE Upgrade Expect",
    "Accept-Encoding Content-Encoding User-Agent Referer Origin Sec-Fetch-Mode sec-ch-ua Proxy-Authorization",
  ].flatMap((names) => names.split(" ")),
)("%s is dropped: the connection or the browser writes it", (name) => {
  expect(keptOf([[name, "x"]])).toEqual([]);
});

test.each(["If-None-Match", "if-modified-since", "If-Range"])(
  "%s is dropped: it comes from the browser's cache",
  (name) => {
    expect(keptOf([[name, "x"]])).toEqual([]);
  },
);

test.each(["Cookie", "cookie2", "Set-Cookie"])("%s is dropped: cookies come from the cookie jar", (name) => {
  expect(keptOf([[name, "a=b"]])).toEqual([]);
});

test.each(["traceparent", "tracestate", "baggage", "sentry-trace", "X-B3-TraceId", "newrelic"])(
  "%s is dropped: it comes from a tracing agent",
  (name) => {
    expect(keptOf([[name, "x"]])).toEqual([]);
  },
);

test("headers that cannot be sent are dropped: invalid names, control or wide characters in a value", () => {
  const headers: readonly Header[] = [
    ["GET /wiki/Special", "x"],
    ["", "x"],
    ["x\r\ny", "x"],
    ["X-A", "a\u{0}b"],
    ["X-B", "東京"],
    ["X-C", "fine"],
  ];
  expect(keptOf(headers)).toEqual(["X-C"]);
});

test("secrets are kept here: later they become variables, which a login needs", () => {
  const headers: readonly Header[] = [
    ["Authorization", "Bearer abc"],
    ["X-Api-Key", "k"],
    ["X-CSRF-Token", "t"],
    ["X-Custom", "kq8Jd72hLpQ0zXv5Tn3M"],
  ];
  expect(dropManagedHeaders(headers)).toEqual(headers);
});

test("other headers are kept in recorded order with repetitions, but only the first content type", () => {
  const headers: readonly Header[] = [
    ["Accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"],
    ["Accept-Language", "de,en-US;q=0.7"],
    ["If-Match", '"v3"'],
    ["X-Requested-With", "XMLHttpRequest"],
    ["x-shop-region", "eu"],
    ["x-shop-region", "us"],
    ["Content-Type", "application/json"],
  ];
  expect(dropManagedHeaders([...headers, ["content-type", "text/plain"]])).toEqual(headers);
});
