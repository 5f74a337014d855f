import { existsSync, readdirSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { type CapturedRequest, importCapture } from "@bearhug/har-import";
import { requestName } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";
import { readCaptureFile } from "../../src/mock/read-capture-file.ts";
import type { Mock } from "../../src/mock/start-mock.ts";
import { withMock } from "./with-mock.ts";

const folder = process.env["BEARHUG_CAPTURES"] ?? "";
const captures =
  folder !== "" && existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".har")) : [];

describe.skipIf(folder === "")("captures of the folder BEARHUG_CAPTURES", () => {
  test("the folder is there and has captures", () => {
    expect(captures, folder).not.toEqual([]);
  });

  test.for(captures)(
    "what is kept of %s gets its recorded answers from its mock, twice over",
    async (name) => {
      const capture = await readCaptureFile(join(folder, name));
      const model = importCapture(capture);
      const requests = model.pages.flatMap((page) => page.requests);
      const sent = [...requests, ...requests];

      await withMock(capture, async (mock) => {
        const agent = new Agent({ keepAlive: true, maxSockets: 6 });
        await Promise.all(
          sent.map(async (captured) => {
            const status = await send(mock, captured, agent);
            expect(recordedStatuses(requests, captured)).toContain(status);
          }),
        );
        agent.destroy();
        const { unknown, byName, total } = mock.stats();
        expect(unknown).toEqual({});
        expect(total).toBe(sent.length);
        expect(byName).toEqual(countNames(sent));
      });
    },
  );
});

/** Sends a request to the mock as it would go to its own host; its answer's status. */
function send(mock: Mock, { method, url, headers, body }: CapturedRequest, agent: Agent): Promise<number> {
  const { pathname, search } = new URL(url);
  const { port } = new URL(mock.url);
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, path: pathname + search, method, agent }, (response) => {
      response.on("end", () => resolve(response.statusCode ?? 0)).resume();
    });
    for (const [header, value] of headers) outgoing.appendHeader(header, value);
    outgoing.on("error", reject);
    if (body === null) outgoing.end();
    else outgoing.end("text" in body ? body.text : Buffer.from(body.base64, "base64"));
  });
}

/** A mock answers 200 where the capture has no answer. */
function recordedStatuses(requests: readonly CapturedRequest[], { method, url }: CapturedRequest): number[] {
  const line = lineOf(url);
  return requests
    .filter((other) => other.method === method && lineOf(other.url) === line)
    .map(({ recordedStatus }) => recordedStatus ?? 200);
}

function lineOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function countNames(requests: readonly CapturedRequest[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { method, url } of requests) {
    const name = requestName(method, url);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}
