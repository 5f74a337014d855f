import { expect, test } from "vitest";
import { importCapture, summarizeCapture } from "../../src/index.ts";
import { documentOf, entryOf, harOf, importEntries, read } from "../har-file.ts";

test("a summary shows pages, requests, and what is left out and why, counted", async () => {
  const model = await importEntries([
    documentOf("https://www.shop.test/search?q=shoes&page=2"),
    entryOf("https://img.shop.test/logo.png?1513901184096"),
    entryOf("https://www.shop.test/orders", {
      request: { method: "POST", postData: { text: "{}" } },
      response: { status: 201 },
    }),
    { request: { method: "GET", url: "https://www.shop.test/later" } },
    entryOf("https://cdn.test/a.js"),
    entryOf("https://cdn.test/b.js"),
    entryOf("data:image/png;base64,aGVsbG8="),
  ]);
  expect(summarizeCapture(model)).toBe(
    `first party: https://www.shop.test
1 page, 4 requests kept, 3 left out

page "search": 4 requests
  GET /search?q&page → 200
  GET https://img.shop.test/logo.png?*** → 200
  POST /orders with a body → 201
  GET /later → no recorded answer

left out
  cdn.test: third party: 2
  data:image/png: not HTTP: 1
`,
  );
});

/** Planted wherever a capture has room for text. None may be printed. */
const secrets = ["hunter2", "kq8Jd72hLpQ0zXv5Tn3M", "jane@mail.test", "ghp_16C7e42F292c6912E7"];

test("no secret of a capture is in what is printed, nor in the headers that are sent", async () => {
  const [password = "", random = "", email = "", token = ""] = secrets;
  const plant = (base: string): string =>
    `https://u:${password}@${base}/reset/${random};jsessionid=${password}/${email}?token=${password}&q=${random}&to=${email}&x=${token}&${random}`;
  const headers = [
    ["Cookie", `sid=${password}`],
    ["Authorization", `Bearer ${random}`],
    ["X-Whatever", token],
    ["X-Api-Key", password],
    ["Referer", `https://shop.test/?token=${password}`],
  ].map(([name, value]) => ({ name, value }));
  const capture = await read(
    harOf([
      documentOf(plant("shop.test"), { request: { headers }, _initiator: { stack: password } }),
      entryOf(plant("cdn.test"), { request: { headers } }),
      entryOf(`//u:${password}@[broken/?token=${password}`),
      entryOf(`data:text/plain,${password}`),
      { request: { method: 7, url: plant("shop.test") } },
    ]),
  );
  const model = importCapture(capture);
  const printed = JSON.stringify([
    summarizeCapture(model),
    model.omissions,
    capture.findings,
    model.pages.map(({ name }) => name),
  ]);
  const sent = JSON.stringify(
    model.pages.flatMap(({ requests }) => requests.map((request) => request.headers)),
  );
  for (const secret of secrets) {
    expect(printed).not.toContain(secret);
    expect(printed).not.toContain(encodeURIComponent(secret));
    expect(sent).not.toContain(secret);
  }
});

test("control characters of a capture are shown, never obeyed", async () => {
  const escape = "\u{1b}[31m\u{202e}\u{2028}\n::error::";
  const model = await importEntries([
    documentOf(`https://shop.test/${escape}?${escape}=1`),
    entryOf(`${escape}//`, { request: { method: escape } }),
    entryOf(`x-${escape}:y`),
  ]);
  const summary = summarizeCapture(model);
  expect(summary).not.toMatch(/[[\p{Cc}\p{Cf}\u2028\u2029]--\n]/v);
  expect(summary.split("\n").filter((line) => line.startsWith("::"))).toEqual([]);
});
