import { expect, test } from "vitest";

import { type Accounts, classify } from "./classify.ts";
import { findFreshValues } from "./fresh-values.ts";
import { readOmitted } from "./omitted.ts";
import type { RecordedExchange, WireRequest } from "./recorded-exchange.ts";

const host = "shop.test";

function request(method: string, target: string, contentType = "", body = ""): WireRequest {
  return { method, target, contentType, body: Buffer.from(body) };
}

function recorded(index: number, sent: WireRequest, answer = ""): RecordedExchange {
  const url = `https://${host}${sent.target}`;
  return {
    index,
    request: { ...sent, host, url, fields: null },
    answer: { status: 200, headers: [], body: Buffer.from(answer), isText: true },
  };
}

interface Told {
  readonly entries: readonly (readonly [sent: WireRequest, answer?: string])[];
  /** In the words of the recording; fresh values stand for its own where it says so. */
  readonly received: readonly WireRequest[];
  readonly explained?: string;
}

function account({ entries, received, explained = "" }: Told): Accounts {
  const exchanges = entries.map(([sent, answer], index) => recorded(index, sent, answer));
  const fresh = findFreshValues(exchanges);
  const sent = exchanges.map(({ answer }) => fresh.renew(answer.body.toString())).join("\n");
  const given = new Map([["PASSWORD", "given-for-password-here"]]);
  const renewed = received.map((one) => ({ ...one, target: one.target.replace("«fresh»", fresh.renew(id)) }));
  return classify({ exchanges, received: renewed, omitted: readOmitted(explained), fresh, given, sent });
}

const form = "application/x-www-form-urlencoded";
const json = "application/json";
const id = "a1b2c3d4e5";
const page = request("GET", "/a?q=two%20words");

test.each<[string, Told, Accounts["classified"]]>([
  ["what is the same", { entries: [[page]], received: [page] }, [{ kind: "equal" }]],
  [
    "a variable's value",
    {
      entries: [[request("POST", "/login", form, "user=a&pw=honey")]],
      received: [request("POST", "/login", form, "user=a&pw=given-for-password-here")],
    },
    [{ kind: "values", places: ['form "pw": PASSWORD'] }],
  ],
  [
    "a value of an answer",
    {
      entries: [[request("POST", "/new"), id], [request("GET", `/notes/${id}`)]],
      received: [request("POST", "/new"), request("GET", "/notes/«fresh»")],
    },
    [{ kind: "equal" }, { kind: "values", places: ["path 2: correlated"] }],
  ],
  [
    "a value that is made",
    {
      entries: [[request("GET", "/p?_=1513979931466")]],
      received: [request("GET", "/p?_=1790000000000")],
    },
    [{ kind: "values", places: ['query "_": made new'] }],
  ],
  [
    "what is left out",
    {
      entries: [[page], [page]],
      received: [page],
      explained: "skipped\n     1  shop.test: poll\n          GET /a?q\n",
    },
    [{ kind: "equal" }, { kind: "omitted", reason: "shop.test: poll" }],
  ],
])("%s is in a class", (_, told, classified) => {
  expect(account(told)).toEqual({ classified, inNoClass: [] });
});

test.each<[string, Told, string]>([
  ["a request that is lost", { entries: [[page]], received: [] }, "was neither sent nor skipped"],
  [
    "a blank that is spelled otherwise",
    { entries: [[page]], received: [request("GET", "/a?q=two+words")] },
    'query "q": "two%20words" became "two+words"',
  ],
  [
    "another value",
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
    "another content type",
    { entries: [[request("POST", "/a", form, "a=1")]], received: [request("POST", "/a", json, "a=1")] },
    "application/x-www-form-urlencoded\nbecame",
  ],
  [
    "a content type in other letters",
    {
      entries: [[request("POST", "/a", "Text/Plain", "a")]],
      received: [request("POST", "/a", "text/plain", "a")],
    },
    "the bytes differ where no value does",
  ],
  [
    "a field that is missing",
    { entries: [[request("POST", "/a", form, "a=1&b=2")]], received: [request("POST", "/a", form, "a=1")] },
    "form =&=\n",
  ],
  [
    "a body that is empty",
    { entries: [[request("POST", "/a", form, "a=1")]], received: [request("POST", "/a", form)] },
    "no body",
  ],
  [
    "a request that nobody recorded",
    { entries: [[page]], received: [page, page] },
    "sent, and recorded nowhere: GET /a?q=two%20words",
  ],
  [
    "a line about nothing",
    {
      entries: [[page]],
      received: [page],
      explained: "skipped\n     1  shop.test: poll\n          GET /b\n",
    },
    "skipped, and recorded nowhere: 1 more: shop.test: poll",
  ],
  [
    "a line about another request",
    { entries: [[page]], received: [], explained: "skipped\n     1  shop.test: poll\n          GET /b\n" },
    "was neither sent nor skipped",
  ],
])("%s is in no class", (_, told, why) => {
  const { classified, inNoClass } = account(told);
  const problems = classified.flatMap((one) => (one.kind === "unexplained" ? [one.why] : []));
  expect([...problems, ...inNoClass].join("\n")).toContain(why);
});
