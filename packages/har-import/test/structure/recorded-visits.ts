import type { CaptureEntry, CapturePage, Header } from "../../src/capture.ts";
import type { Visit, VisitStep } from "../../src/visit.ts";

export const recordingStartMs = Date.UTC(2026, 0, 1);

/** The fields of a visit that a test sets. */
export interface Recorded {
  /** Milliseconds since the recording began; null if there is no date. */
  readonly at?: number | null;
  /** Duration in milliseconds, or null if it was not recorded. All but the `blocked` part is waiting for the response. */
  readonly took?: number | null;
  readonly blocked?: number;
  readonly method?: string;
  readonly type?: string;
  readonly mimeType?: string;
  readonly status?: number | null;
  readonly location?: string;
  readonly pageRef?: string | null;
  readonly initiator?: CaptureEntry["initiator"];
  readonly protocol?: CaptureEntry["protocol"];
  readonly headers?: readonly Header[];
  readonly responseHeaders?: readonly Header[];
  /** JSON body of the request. */
  readonly requestJson?: string;
}

/** Returns a visit, by default of an image. Relative addresses are resolved at `https://shop.test`. */
export function visitOf(address: string, recorded: Recorded = {}): Visit {
  const { at = 0, took = 10, blocked = 0 } = recorded;
  const url = new URL(address, "https://shop.test");
  const startedAtMs = at === null ? null : recordingStartMs + at;
  const waitMs = Math.max(0, (took ?? 0) - blocked);
  const timings = { blockedMs: blocked, dnsMs: 0, connectMs: 0, sendMs: 0, waitMs, receiveMs: 0 };
  const entry: CaptureEntry = {
    index: 0,
    pageRef: recorded.pageRef ?? null,
    startedAtMs,
    resourceType: recorded.type ?? "",
    servedBy: "network",
    isWebSocket: false,
    durationMs: took,
    timings,
    initiator: recorded.initiator ?? null,
    protocol: recorded.protocol ?? "http/1",
    request: {
      method: recorded.method ?? "GET",
      url: address,
      headers: recorded.headers ?? [],
      cookies: [],
      postData:
        recorded.requestJson === undefined
          ? null
          : { mimeType: "application/json", text: recorded.requestJson, isBase64: false, params: [] },
      bodyBytes: null,
    },
    response: {
      status: recorded.status === undefined ? 200 : recorded.status,
      isAborted: false,
      headers: recorded.responseHeaders ?? [],
      mimeType: recorded.mimeType ?? "image/png",
      body: null,
      bodyBytes: null,
      redirectUrl: recorded.location ?? "",
    },
  };
  return { entry, atMs: startedAtMs, url, hops: [] };
}

/** Returns a visit with the resource type `document`. */
export function documentOf(address: string, recorded: Recorded = {}): Visit {
  return visitOf(address, { type: "document", mimeType: "text/html", ...recorded });
}

/** Returns a visit of a script's call. */
export function callOf(address: string, recorded: Recorded = {}): Visit {
  return visitOf(address, { type: "fetch", mimeType: "application/json", ...recorded });
}

export function redirectOf(address: string, location: string, recorded: Recorded = {}): Visit {
  return visitOf(address, { status: 302, mimeType: "", location, ...recorded });
}

export function pageOf(
  id: string,
  page: { title?: string; at?: number; loadedAfter?: number } = {},
): CapturePage {
  return {
    id,
    title: page.title ?? "",
    startedAtMs: page.at === undefined ? null : recordingStartMs + page.at,
    loadedAfterMs: page.loadedAfter ?? null,
  };
}

/** Returns the path and query. */
export function pathOf({ url }: Visit): string {
  return url.pathname + url.search;
}

/** Returns the paths of a step by wave, with the browser's own time before them and a `+` after requests that outlast the wave. */
export function wavesOf(step: VisitStep | undefined): (string | number)[][] {
  return (step?.waves ?? []).map(({ afterMs, visits }) => [
    ...(afterMs > 0 ? [afterMs] : []),
    ...visits.map(({ visit, outlasts }) => pathOf(visit) + (outlasts ? "+" : "")),
  ]);
}

/** Returns the kind, name and paths of each step. */
export function stepsOf(steps: readonly VisitStep[]): [kind: string, name: string, ...paths: string[]][] {
  return steps.map(({ kind, name, waves }) => [
    kind,
    name,
    ...waves.flatMap(({ visits }) => visits.map(({ visit }) => pathOf(visit))),
  ]);
}
