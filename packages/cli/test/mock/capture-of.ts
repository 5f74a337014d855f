import type { Capture, CaptureEntry, EntryRequest, EntryResponse, EntryTimings } from "@bearhug/har-import";

export interface WrittenEntry extends Partial<EntryRequest> {
  readonly startedAtMs?: number;
  readonly timings?: Partial<EntryTimings>;
  readonly response?: Partial<EntryResponse> | null;
}

const defaultResponse: EntryResponse = {
  status: 200,
  isAborted: false,
  headers: [],
  mimeType: "text/plain",
  body: { text: "hello" },
  bodyBytes: 5,
  redirectUrl: "",
};

const noTime: EntryTimings = {
  blockedMs: 0,
  dnsMs: 0,
  connectMs: 0,
  sendMs: 0,
  waitMs: 0,
  receiveMs: 0,
};

/**
 * Returns a capture of requests to https://shop.test. A response is 200 "hello" unless its entry overrides
 * that.
 */
export function captureOf(written: readonly WrittenEntry[]): Capture {
  const entries = written.map(
    ({ response, startedAtMs = null, timings, ...request }, index): CaptureEntry => ({
      index,
      pageRef: null,
      startedAtMs,
      resourceType: "",
      servedBy: "network",
      isWebSocket: false,
      durationMs: null,
      timings: { ...noTime, ...timings },
      initiator: null,
      protocol: "",
      request: {
        method: "GET",
        url: "https://shop.test/",
        headers: [],
        cookies: [],
        postData: null,
        bodyBytes: null,
        ...request,
      },
      response: response === null ? null : { ...defaultResponse, ...response },
    }),
  );
  return { pages: [], entries, findings: [] };
}

/** Returns a request body that was recorded as text. */
export function bodyOf(text: string, mimeType: string): NonNullable<EntryRequest["postData"]> {
  return { mimeType, text, isBase64: false, params: [] };
}
