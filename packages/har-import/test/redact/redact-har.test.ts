import fc from "fast-check";
import { expect, test } from "vitest";
import { CaptureError, type CaptureModel, importCapture, redactHar } from "../../src/index.ts";
import { bytesOf, documentOf, entryOf, harOf, pageOf, requestsOf } from "../har-file.ts";
import { namedPlaces } from "../planted-secrets/named-places.ts";
import { otherPlaces } from "../planted-secrets/other-places.ts";

const origin = "https://shop.test";

async function redact(har: unknown): Promise<string> {
  let text = "";
  for await (const piece of redactHar(() => bytesOf(har))) text += piece;
  return text;
}

/** Returns which requests a model sends in which order, without their values. */
function outline({ steps, omissions, cookies }: CaptureModel): unknown {
  return {
    steps: steps.map(({ kind, waves, thinkAfterMs }) => ({
      kind,
      thinkAfterMs,
      waves: waves.map(({ requests }) =>
        requests.map((request) => ({
          entry: request.entryIndex,
          method: request.method,
          segments: request.path.length,
          parameters: request.query.length,
          headers: request.headers.map(({ name }) => name),
          body: request.body?.kind,
          status: request.recordedStatus,
          takes: request.extractions.map(({ from }) => Object.keys(from)),
        })),
      ),
    })),
    omissions: omissions.map(({ entryIndex, reason }) => [entryIndex, reason]),
    cookies: cookies.length,
  };
}

test("a redacted capture is imported like the original", async () => {
  const plain = [...namedPlaces, ...otherPlaces].filter(
    ({ place }) =>
      !/user info|data: address|method|an address that is none|name of a parameter|JSON key/.test(place),
  );
  const secrets = fc.constantFrom("Tr0ub4dor-3", "kq8Jd72hLpQ0zXv5Tn3M", "joe@people.test");
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...plain), secrets, async ({ plant, place }, secret) => {
      const original = await importCapture(() => bytesOf(plant(secret)));
      const redacted = await redact(plant(secret));
      const again = await importCapture(() => [new TextEncoder().encode(redacted)]);
      expect(outline(again.model), place).toEqual(outline(original.model));
    }),
  );
});

test("redacting a redacted capture changes nothing", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...namedPlaces), async ({ plant }) => {
      const once = await redact(plant("Tr0ub4dor&3"));
      expect(await redact(JSON.parse(once) as unknown)).toBe(once);
    }),
  );
});

test("a value that a response supplies still equals the value that a later request sends", async () => {
  const token = "kq8Jd72hLpQ0zXv5Tn3M";
  const har = harOf([
    documentOf(`${origin}/`, {
      response: {
        content: { mimeType: "text/html", text: `<form><input name="csrf" value="${token}"></form>` },
      },
    }),
    entryOf(`${origin}/login`, {
      startedDateTime: "2026-01-01T00:00:05.000Z",
      request: {
        method: "POST",
        headers: [{ name: "Content-Type", value: "application/x-www-form-urlencoded" }],
        postData: {
          mimeType: "application/x-www-form-urlencoded",
          text: `csrf=${token}&password=Tr0ub4dor%263`,
        },
      },
    }),
  ]);
  const redacted = await redact(har);
  expect(redacted).not.toContain(token);
  const { model } = await importCapture(() => [new TextEncoder().encode(redacted)]);
  expect(requestsOf(model).flatMap(({ extractions }) => extractions.map(({ from }) => from))).toEqual([
    { field: "csrf" },
  ]);
});

test("random cookie values and names are masked everywhere", async () => {
  const cookie = 'prefs=Ky1037Vqzj; q="Kb2591Sqzj"; Kb2444Sqzj=1; Kb2407Sqzj; ab=variant-b2';
  const redacted = await redact(
    harOf([
      documentOf(`${origin}/`, { request: { headers: [{ name: "Cookie", value: cookie }] } }),
      entryOf(`${origin}/b?y=Ky1037Vqzj&z=Kb2591Sqzj&u=Kb2444Sqzj&v=Kb2407Sqzj&w=variant-b2`),
    ]),
  );
  expect(redacted).not.toMatch(/Ky1037Vqzj|Kb2591Sqzj|Kb2444Sqzj|Kb2407Sqzj/);
  expect(redacted).toContain("w=variant-b2");
});

test("only flags, addresses and build values are kept in headers", async () => {
  const headers = {
    rsc: "1",
    "hx-request": "true",
    "next-url": "/notes/new",
    "next-action": "40b1c9d2f4a87e3c5560718293a4b5c6d7e8f90a1b",
    "x-customer": "jane",
    "x-api-key": "17",
  };
  const list = Object.entries(headers).map(([name, value]) => ({ name, value }));
  const har = JSON.parse(await redact(harOf([entryOf(`${origin}/a`, { request: { headers: list } })]))) as {
    log: { entries: { request: { headers: { value: string }[] } }[] };
  };
  expect(har.log.entries[0]?.request.headers.map(({ value }) => value)).toEqual([
    "1",
    "true",
    "/notes/new",
    headers["next-action"],
    expect.stringMatching(/^REDACTED-/),
    expect.stringMatching(/^REDACTED-/),
  ]);
});

test("only the fields that the importer reads are written", async () => {
  const entry = entryOf(`${origin}/a`, {
    comment: "c",
    serverIPAddress: "10.0.0.1",
    connection: "443",
    _initiator: { type: "script", url: `${origin}/app.js`, stack: { callFrames: [{ functionName: "f" }] } },
    _webSocketMessages: [{ type: "send", data: "hello" }],
    _custom: { deep: "x" },
    response: {
      content: { mimeType: "image/png", text: "iVBORw0KGgo=", encoding: "base64", size: 8 },
      comment: "c",
    },
  });
  const har = JSON.parse(
    await redact(harOf([entry], [pageOf("p", { title: "file:///Users/joe/shop.html" })])),
  ) as {
    log: { pages: { title: string }[]; entries: Record<string, unknown>[] };
  };
  expect(har.log.pages.map(({ title }) => title)).toEqual(["file:///"]);
  expect(har.log.entries[0]).toMatchObject({
    _initiator: { type: "script", url: `${origin}/app.js` },
    _webSocketMessages: [{}],
    response: { content: { size: 8, mimeType: "image/png" } },
  });
  expect(JSON.stringify(har)).not.toMatch(/comment|10\.0\.0\.1|callFrames|hello|_custom|iVBOR/);
});

test("secret numbers are replaced with numbers, so that JSON stays valid", async () => {
  const body = JSON.stringify({ pin: 482_913, count: 3, token: "9f-22x-17" });
  const har = harOf([
    entryOf(`${origin}/a`, { response: { content: { mimeType: "application/json", text: body } } }),
  ]);
  const redacted = JSON.parse(await redact(har)) as {
    log: { entries: { response: { content: { text: string } } }[] };
  };
  expect(JSON.parse(redacted.log.entries[0]!.response.content.text)).toEqual({
    pin: 9_000_000_001,
    count: 3,
    token: "REDACTED-000002",
  });
});

test("an unreadable entry is replaced with an empty one, so that the others keep their index", async () => {
  const har = harOf([entryOf(`${origin}/`), { request: "none" }, entryOf(`${origin}/b`)]);
  const redacted = JSON.parse(await redact(har)) as { log: { entries: unknown[] } };
  expect(redacted.log.entries).toHaveLength(3);
  expect(redacted.log.entries[1]).toEqual({});
});

test("a file that is not a capture is rejected before anything is written", async () => {
  await expect(redact({ log: { entries: [] } })).rejects.toThrow(CaptureError);
  await expect(redact({})).rejects.toThrow(CaptureError);
});
