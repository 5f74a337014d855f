import type { Capture, CaptureEntry, EntryRequest, EntryResponse } from "@bearhug/har-import";

type WrittenEntry = Partial<EntryRequest> & { readonly response?: Partial<EntryResponse> | null };

const answer: EntryResponse = {
  status: 200,
  isAborted: false,
  headers: [],
  mimeType: "text/plain",
  body: { text: "hello" },
  bodyBytes: 5,
  redirectUrl: "",
};

/** A capture of requests to https://shop.test, each with the answer 200 "hello" unless it says otherwise. */
export function captureOf(written: readonly WrittenEntry[]): Capture {
  const entries = written.map(({ response, ...request }, index): CaptureEntry => ({
    index,
    pageRef: null,
    startedAtMs: null,
    resourceType: "",
    servedBy: "network",
    isWebSocket: false,
    request: { method: "GET", url: "https://shop.test/", headers: [], postData: null, ...request },
    response: response === null ? null : { ...answer, ...response },
  }));
  return { pages: [], entries, findings: [] };
}
