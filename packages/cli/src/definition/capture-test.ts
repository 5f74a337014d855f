import type { CapturedRequest, CaptureModel } from "@bearhug/har-import";
import { defineTest, type BatchRequestOptions, type Test } from "@bearhug/sdk";
import { headerRecord } from "./header-record.ts";

/** A capture as a test: an iteration visits each page as the browser did, the document first, then the rest in recorded order. */
export function captureTest({ origin, hosts, pages }: CaptureModel, target: string | null): Test {
  const visits = pages.map(({ name, requests }) => ({
    name,
    requests: requests.map((request) => replay(request, target)),
  }));
  return defineTest({
    name: `capture of ${origin}`,
    baseUrl: target ?? origin,
    ...(target === null ? { allowHosts: hosts.map((host) => new URL(host).host) } : {}),
    scenarios: {
      visitors: {
        executor: "shared-iterations",
        vus: 1,
        iterations: 1,
        exec: async ({ http, page }) => {
          for (const { name, requests } of visits) {
            await page(name, async () => {
              const [document, ...rest] = requests;
              if (document === undefined) return;
              await http.batch([document]);
              await http.batch(rest);
            });
          }
        },
      },
    },
  });
}

/** As recorded, redirects included: each hop is an entry of the capture. */
function replay(request: CapturedRequest, target: string | null): BatchRequestOptions {
  const { method, headers, body, recordedStatus } = request;
  const { href, pathname, search } = new URL(request.url);
  return {
    method,
    url: target === null ? href : new URL(target).origin + pathname + search,
    redirects: 0,
    headers: headerRecord(headers),
    ...(body === null ? {} : { body: "text" in body ? body.text : Buffer.from(body.base64, "base64") }),
    // A browser's capture may hold answers that were errors: the same answer again is no fault.
    ...(recordedStatus === null || recordedStatus < 400
      ? {}
      : { expect: [{ min: 200, max: 399 }, recordedStatus] }),
  };
}
