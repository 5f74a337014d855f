import type { CapturedRequest, CapturedStep, CaptureModel } from "../../src/index.ts";
import { textValue, type Atom, type Value } from "../../src/value.ts";

/** Returns a model with one page; the rest is empty. */
export function modelOf(overrides: Partial<CaptureModel> = {}): CaptureModel {
  return {
    origin: "https://shop.test",
    hosts: ["https://shop.test"],
    steps: [stepOf([[requestOf("/")]])],
    connections: 6,
    cookies: [],
    variables: [],
    sendsOrigin: false,
    tables: [],
    omissions: [],
    findings: [],
    notes: [],
    ...overrides,
  };
}

export function stepOf(
  waves: readonly (readonly CapturedRequest[])[],
  overrides: Partial<CapturedStep> = {},
): CapturedStep {
  return {
    kind: "page",
    name: "home",
    waves: waves.map((requests, index) => ({ afterMs: index * 20, requests })),
    recordedMs: 1240,
    thinkAfterMs: 0,
    ...overrides,
  };
}

/** Returns a GET request of an address, recorded with status 200. */
export function requestOf(address: string, overrides: Partial<CapturedRequest> = {}): CapturedRequest {
  const url = new URL(address, "https://shop.test");
  const segments = url.pathname.slice(1).split("/");
  return {
    entryIndex: 0,
    redirectedTo: [],
    method: "GET",
    origin: url.origin,
    path: segments.map((text, index) => atom(segments[index - 1] ?? "", decodeURIComponent(text))),
    query: Array.from(url.searchParams, ([name, value]) =>
      value === "" ? atom("", name) : atom(name, value),
    ),
    headers: [],
    referer: null,
    name: null,
    body: null,
    recordedStatus: 200,
    renewedStatus: null,
    landsOn: null,
    proofs: [],
    extractions: [],
    hints: [],
    outlasts: false,
    recorded: { startMs: 0, endMs: 180 },
    ...overrides,
  };
}

/** Returns an atom with a text or a value that is known only at run time. */
export function atom(name: string, value: string | Value): Atom {
  return { name, value: typeof value === "string" ? textValue(value) : value, written: null };
}

/** Returns a model of a visit to a shop that uses nearly every feature of models. */
export function shopModel(): CaptureModel {
  const csrf: Value = [{ kind: "extracted", name: "csrf" }];
  const home = requestOf("/", {
    extractions: [{ name: "csrf", from: { field: "csrf_token" } }],
  });
  const login = requestOf("/login?next=%2Faccount", {
    method: "POST",
    redirectedTo: [4],
    body: {
      kind: "form",
      fields: [
        atom("user", [{ kind: "variable", name: "LOGIN_USER" }]),
        atom("password", [{ kind: "variable", name: "LOGIN_PASSWORD" }]),
        atom("csrf_token", csrf),
        atom("remember", "on"),
      ],
    },
    headers: [atom("accept", "text/html"), atom("x-request-id", [{ kind: "fresh", what: "uuid", id: null }])],
    hints: ['"remember" may come from the response to GET / (form field "remember")'],
    recorded: { startMs: 0, endMs: 420 },
  });
  const search = requestOf("https://api.shop.test/search", {
    query: [
      atom("q", [{ kind: "column", table: "searches", column: "q", row: 0 }]),
      atom("_", [{ kind: "fresh", what: "milliseconds", id: null }]),
    ],
    headers: [
      atom("authorization", [
        { kind: "text", text: "Bearer " },
        { kind: "variable", name: "TOKEN" },
      ]),
    ],
    recorded: { startMs: 10, endMs: 90 },
  });
  return modelOf({
    hosts: ["https://shop.test", "https://api.shop.test"],
    steps: [
      stepOf(
        [
          [home],
          [
            requestOf("/assets/app.3f9ac1.css", { recorded: { startMs: 200, endMs: 260 } }),
            requestOf("/assets/app.js?v=12", { recorded: { startMs: 201, endMs: 900 } }),
            requestOf("/live/poll", { outlasts: true, recorded: { startMs: 202, endMs: 1240 } }),
          ],
          [requestOf("/api/cart", { recordedStatus: 404, recorded: { startMs: 920, endMs: 1000 } })],
        ],
        { thinkAfterMs: 4200 },
      ),
      stepOf([[login]], { name: "login", recordedMs: 420, thinkAfterMs: 75_000 }),
      stepOf([[search]], { kind: "group", name: "search", recordedMs: null }),
    ],
    cookies: [{ name: "locale", origin: "https://shop.test", value: textValue("en") }],
    variables: [
      { name: "LOGIN_USER", description: "The field user that POST /login sends.", isOptional: false },
      { name: "LOGIN_PASSWORD", description: "The password that POST /login sends.", isOptional: false },
    ],
    tables: [{ name: "searches", columns: ["q"], rows: [["shoes"], ["hats"]] }],
    notes: ["The recording has no cookies: it was exported without them."],
    findings: [{ path: "$.log.entries[7].request", problem: "is missing: the entry is left out" }],
    omissions: [
      [
        "GET",
        "https://www.google-analytics.com/analytics.js",
        "www.google-analytics.com",
        "analytics or advertising",
      ],
      [
        "POST",
        "https://www.google-analytics.com/g/collect?v&tid",
        "www.google-analytics.com",
        "analytics or advertising",
      ],
      [
        "POST",
        "https://www.google-analytics.com/g/collect?v&tid",
        "www.google-analytics.com",
        "analytics or advertising",
      ],
      ["GET", "https://cdn.test/lib.js", "cdn.test", "third party"],
      ["GET", "data:image/png", "", "not HTTP"],
    ].map(([method = "", url = "", host = "", reason], index) => ({
      entryIndex: 10 + index,
      method,
      url,
      host,
      reason: reason as CaptureModel["omissions"][number]["reason"],
    })),
  });
}
