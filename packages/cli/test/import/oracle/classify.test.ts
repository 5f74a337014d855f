import { expect, test } from "vitest";

import { type Accounts, classify } from "./classify.ts";
import { findFreshValues } from "./fresh-values.ts";
import { readOmitted } from "./omitted.ts";
import type { RecordedExchange, WireRequest } from "./recorded-exchange.ts";

const host = "shop.test";

function request(method: string, target: string, contentType = "", body = ""): WireRequest {
  return { method, target, contentType, body: Buffer.from(body) };
}

function recorded(index: number, sent: WireRequest, body = ""): RecordedExchange {
  const url = `https://${host}${sent.target}`;
  return {
    index,
    request: { ...sent, host, url, fields: null },
    response: { status: 200, headers: [], body: Buffer.from(body), isText: true },
  };
}

interface Case {
  readonly entries: readonly (readonly [sent: WireRequest, body?: string])[];
  /** The requests with recorded values; «fresh» stands for the fresh value of `id`. */
  readonly received: readonly WireRequest[];
  readonly explained?: string;
}

function account({ entries, received, explained = "" }: Case): Accounts {
  const exchanges = entries.map(([sent, body], index) => recorded(index, sent, body));
  const fresh = findFreshValues(exchanges);
  const sent = exchanges.map(({ response }) => fresh.renew(response.body.toString())).join("\n");
  const given = new Map([["PASSWORD", "given-for-password-here"]]);
  const renewed = received.map((one) => ({ ...one, target: one.target.replace("«fresh»", fresh.renew(id)) }));
  return classify({ exchanges, received: renewed, omitted: readOmitted(explained), fresh, given, sent });
}

const form = "application/x-www-form-urlencoded";
const json = "application/json";
const id = "a1b2c3d4e5";
const page = request("GET", "/a?q=two%20words");

test.each<[string, Case, Accounts["classified"]]>([
  ["an equal request", { entries: [[page]], received: [page] }, [{ kind: "equal" }]],
  [
    "a variable's value",
    {
      entries: [[request("POST", "/login", form, "user=a&pw=honey")]],
      received: [request("POST", "/login", form, "user=a&pw=given-for-password-here")],
    },
    [{ kind: "values", places: ['form "pw": PASSWORD'] }],
  ],
  [
    "a value from a response",
    {
      entries: [[request("POST", "/new"), id], [request("GET", `/notes/${id}`)]],
      received: [request("POST", "/new"), request("GET", "/notes/«fresh»")],
    },
    [{ kind: "equal" }, { kind: "values", places: ["path 2: correlated"] }],
  ],
  [
    "a value that a script makes",
    {
      entries: [[request("GET", "/p?_=1513979931466")]],
      received: [request("GET", "/p?_=1790000000000")],
    },
    [{ kind: "values", places: ['query "_": made new'] }],
  ],
  [
    "a skipped request",
    {
      entries: [[page], [page]],
      received: [page],
      explained: "skipped\n     1  shop.test: poll\n          GET /a?q\n",
    },
    [{ kind: "equal" }, { kind: "omitted", reason: "shop.test: poll" }],
  ],
])("%s is in a class", (_, one, classified) => {
  expect(account(one)).toEqual({ classified, inNoClass: [] });
});

test.each<[string, Case, string]>([
  ["a request that was never sent", { entries: [[page]], received: [] }, "was neither sent nor skipped"],
  [
    "a differently encoded space",
    { entries: [[page]], received: [request("GET", "/a?q=two+words")] },
    'query "q": "two%20words" became "two+words"',
  ],
  [
    "a changed value",
    {
      entries: [[request("POST", "/a", json, '{"a":1}')]],
      received: [request("POST", "/a", json, '{"a":2}')],
    },
    'json 0: "1" became "2"',
  ],
  [
    "a number that became a string",
    {
      entries: [[request("POST", "/a", json, '{"a":1}')]],
      received: [request("POST", "/a", json, '{"a":"1"}')],
    },
    '{"a":0}',
  ],
  [
    "a changed content type",
    { entries: [[request("POST", "/a", form, "a=1")]], received: [request("POST", "/a", json, "a=1")] },
    "application/x-www-form-urlencoded\nbecame",
  ],
  [
    "a content type in different case",
    {
      entries: [[request("POST", "/a", "Text/Plain", "a")]],
      received: [request("POST", "/a", "text/plain", "a")],
    },
    "the bytes differ where no value does",
  ],
  [
    "a missing field",
    { entries: [[request("POST", "/a", form, "a=1&b=2")]], received: [request("POST", "/a", form, "a=1")] },
    "form =&=\n",
  ],
  [
    "an empty body",
    { entries: [[request("POST", "/a", form, "a=1")]], received: [request("POST", "/a", form)] },
    "no body",
  ],
  [
    "a request that was not recorded",
    { entries: [[page]], received: [page, page] },
    "sent, and recorded nowhere: GET /a?q=two%20words",
  ],
  [
    "a skipped line without a recorded request",
    {
      entries: [[page]],
      received: [page],
      explained: "skipped\n     1  shop.test: poll\n          GET /b\n",
    },
    "skipped, and recorded nowhere: 1 more: shop.test: poll",
  ],
  [
    "an unsent request whose skipped line names another path",
    { entries: [[page]], received: [], explained: "skipped\n     1  shop.test: poll\n          GET /b\n" },
    "was neither sent nor skipped",
  ],
])("%s is in no class", (_, one, why) => {
  const { classified, inNoClass } = account(one);
  const problems = classified.flatMap((one) => (one.kind === "unexplained" ? [one.why] : []));
  expect([...problems, ...inNoClass].join("\n")).toContain(why);
});
