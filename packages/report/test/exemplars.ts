import type { ExchangeExemplar, ExemplarsResult, FailedExchange, PageExemplar } from "@bearhug/sdk/result";
import { eachOpeningPhase } from "@bearhug/sdk/internal";

const phases = {
  blocked: 0.2,
  ...eachOpeningPhase(() => 0),
  sending: 0.1,
  waiting: 20.5,
  receiving: 1.2,
};

/** A successful exchange of a page visit. */
export const pageExchange: ExchangeExemplar = {
  name: "GET /",
  method: "GET",
  url: "http://127.0.0.1:8080/",
  status: 200,
  code: null,
  protocol: "HTTP/1.1",
  atMs: 0,
  phases,
  bytesSent: 91,
  bytesReceived: 5120,
};

const connecting = { ...phases, blocked: 4.4, lookingUp: 0.4, connecting: 1.5, tlsHandshaking: 2.5 };
const files = [
  { name: "GET /style.css", atMs: 22, phases: connecting, bytesReceived: 20_480 },
  {
    name: "GET /app.js",
    atMs: 22.5,
    phases: { ...phases, waiting: 35, receiving: 12 },
    bytesReceived: 81_920,
  },
  {
    name: "GET /hero.webp",
    atMs: 23,
    phases: { ...phases, blocked: 30, waiting: 4 },
    status: 503,
    code: "HTTP_503",
  },
];

export const medianVisit: PageExemplar = {
  page: "home",
  scenario: "readers",
  kind: "median",
  atMs: 1671.2,
  durationMs: 71.4,
  leftOut: 0,
  exchanges: [
    pageExchange,
    ...files.map((file) => ({ ...pageExchange, ...file, url: `http://127.0.0.1:8080${file.name.slice(4)}` })),
  ],
};

export const slowVisit: PageExemplar = {
  ...medianVisit,
  kind: "slow",
  atMs: 2210,
  durationMs: 140,
  leftOut: 2,
  exchanges: [
    { ...pageExchange, phases: { ...phases, waiting: 95 } },
    { ...pageExchange, name: "GET /app.js", url: "http://127.0.0.1:8080/app.js", atMs: 97 },
  ],
};

export const failedExchange: FailedExchange = {
  ...pageExchange,
  name: "POST /cart",
  method: "POST",
  url: "http://127.0.0.1:8080/cart?session=***",
  status: 503,
  code: "HTTP_503",
  atMs: 108.7,
  bytesSent: 252,
  bytesReceived: 266,
  message: "POST http://127.0.0.1:8080/cart responded with status 503",
  traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
  scenario: "readers",
  page: "cart",
  request: {
    headers: [
      ["content-type", "application/json"],
      ["authorization", "Bearer ***"],
      ["user-agent", "bearhug/0.1.0"],
      ["traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"],
    ],
    body: { text: `{"item":"it's 1","password":"***"}`, isWhole: true, bytes: 45 },
  },
  response: {
    headers: [
      ["content-type", "application/json"],
      ["retry-after", "2"],
    ],
    body: { text: `{"error":"overloaded"}\n`, isWhole: true, bytes: 23 },
  },
};

export const exemplars: ExemplarsResult = { pages: [medianVisit, slowVisit], errors: [failedExchange] };
