import fc from "fast-check";
import { check } from "prettier";
import { expect, test } from "vitest";
import type { CapturedRequest, CaptureModel } from "../../src/capture-model.ts";
import type { Capture, CaptureEntry } from "../../src/capture.ts";
import { CaptureError, importCapture, readCapture, writeTest } from "../../src/index.ts";
import { draftModel, dropManagedHeaders } from "../../src/request/draft-model.ts";
import { selectEntries, inRecordedOrder } from "../../src/select/select-entries.ts";
import { collapseRedirects } from "../../src/structure/collapse-redirects.ts";
import { planSteps } from "../../src/structure/plan-steps.ts";
import { bytesOf } from "../har-file.ts";
import { anyHar, boundary } from "./any-exchange.ts";
import { playSource } from "./run-source.ts";
import { type SentBytes, sentBytes } from "./sent-bytes.ts";
import { strangeSyntax } from "./syntax-shape.ts";

test("whatever a capture contains, its test has only known syntax, and importing the test has no side effects", async () => {
  const property = fc.asyncProperty(anyHar, async (har) => {
    const source = await tryToWrite(har, false);
    if (source === null) return;
    expect(strangeSyntax(source)).toEqual([]);
    expect((await playSource(source)).globals).toEqual([]);
  });
  await fc.assert(property, { numRuns: 60 });
});

test("the formatted test has only known syntax, sends the same requests, and is in prettier's format", async () => {
  const property = fc.asyncProperty(anyHar, async (har) => {
    const [source, plain] = [await tryToWrite(har, true), await tryToWrite(har, false)];
    if (source === null || plain === null) return;
    expect(strangeSyntax(source)).toEqual([]);
    expect(await check(source, { filepath: "test.ts" })).toBe(true);
    expect((await playSource(source)).sentRequests).toEqual((await playSource(plain)).sentRequests);
  });
  await fc.assert(property, { numRuns: 15 });
});

test("recorded requests are sent with the same bytes if nothing had to be changed", async () => {
  const property = fc.asyncProperty(anyHar, async (har) => {
    const capture = await readCapture(bytesOf(har), { bodies: false });
    const model = draftOf(capture);
    if (model === null) return;
    const { source } = await writeTest({ model, redacted: [] }, { formatted: false });
    const { definition, sentRequests } = await playSource(source);
    const sent = sentRequests.map((one) => sentBytes(one, definition, boundary));
    const requests = model.steps.flatMap(({ waves }) => waves.flatMap((wave) => wave.requests));
    const recorded = requests.map((request) => recordedBytes(request, capture.entries));
    expect(sent.map(comparable).toSorted()).toEqual(recorded.map(comparable).toSorted());
  });
  await fc.assert(property, { numRuns: 100 });
});

async function tryToWrite(har: unknown, formatted: boolean): Promise<string | null> {
  try {
    const imported = await importCapture(() => bytesOf(har));
    return (await writeTest(imported, { formatted })).source;
  } catch (error) {
    if (error instanceof CaptureError) return null;
    throw error;
  }
}

/** Returns a model with all values as recorded, including secrets. */
function draftOf(capture: Capture): CaptureModel | null {
  const selection = selectEntries(inRecordedOrder(capture.entries), {});
  const { kept, omissions, notes, origin } = selection;
  if (origin === null || kept.length === 0) return null;
  const { findings, pages } = capture;
  const steps = planSteps(pages, collapseRedirects(kept));
  return draftModel({ origin, connections: 6, omissions, findings, notes }, kept, steps);
}

/** Returns a request as it was recorded, read without the model. */
function recordedBytes({ entryIndex }: CapturedRequest, entries: readonly CaptureEntry[]): SentBytes {
  const { request } = entries.find(({ index }) => index === entryIndex)!;
  const { origin, pathname, search } = new URL(request.url);
  const isTyped = request.headers.some(([name]) => name.toLowerCase() === "content-type");
  const isBodiless =
    request.method === "HEAD" || (request.method === "GET" && !isTyped && !request.bodyBytes);
  const text = isBodiless ? "" : (request.postData?.text.toWellFormed() ?? "");
  const headers = new Map<string, string>();
  for (const [name, value] of dropManagedHeaders(request.headers)) {
    const lower = name.toLowerCase();
    const before = headers.get(lower);
    headers.set(lower, before === undefined ? value : `${before}, ${value}`);
  }
  if (text !== "") headers.set("content-type", request.postData?.mimeType ?? "");
  return {
    method: request.method,
    url: origin + pathname + search,
    body: text === "" ? null : text,
    headers,
  };
}

/** Returns a request as text for comparison, without the multipart content type: the client chooses its boundary. */
function comparable({ method, url, body, headers }: SentBytes): string {
  const named = [...headers].filter(([, value]) => !value.startsWith("multipart/form-data")).toSorted();
  return JSON.stringify([method, url, body, named]);
}
