import type { Entry, Page, Request, Response } from "har-format";
import {
  type Atom,
  type Capture,
  type CapturedRequest,
  type CaptureModel,
  importCapture,
  type ImportOptions,
  readCapture,
} from "../src/index.ts";

/** What a test says about an entry; the rest is as in any capture. Anything may stand anywhere, as in the wild. */
export type Written<T> = { readonly [Key in keyof T]?: unknown } & Readonly<Record<string, unknown>>;

const get: Request = {
  method: "GET",
  url: "https://shop.example/",
  httpVersion: "HTTP/1.1",
  headers: [],
  cookies: [],
  queryString: [],
  headersSize: -1,
  bodySize: -1,
};

const ok: Response = {
  status: 200,
  statusText: "OK",
  httpVersion: "HTTP/1.1",
  headers: [],
  cookies: [],
  content: { size: 5, mimeType: "image/png", text: "hello" },
  redirectURL: "",
  headersSize: -1,
  bodySize: -1,
};

const exchange: Omit<Entry, "request" | "response"> = {
  startedDateTime: "2026-01-01T00:00:00.000Z",
  time: 12,
  cache: {},
  timings: { send: 1, wait: 10, receive: 1 },
};

/** An entry that asks for a URL and gets an image, unless the test says otherwise. */
export function entryOf(
  url: string,
  {
    request = {},
    response = {},
    ...rest
  }: { request?: Written<Request>; response?: Written<Response> } & Written<
    Omit<Entry, "request" | "response">
  > = {},
): Record<string, unknown> {
  return {
    ...exchange,
    request: { ...get, url, ...request },
    response: { ...ok, ...response },
    ...rest,
  };
}

/** An entry that asks for a page and gets HTML. */
export function documentOf(url: string, rest: Parameters<typeof entryOf>[1] = {}): Record<string, unknown> {
  return entryOf(url, {
    ...rest,
    response: { content: { size: 6, mimeType: "text/html", text: "<html>" }, ...rest.response },
  });
}

/** A page of `log.pages`. */
export function pageOf(id: string, page: Written<Page> = {}): Record<string, unknown> {
  return { id, title: "", startedDateTime: "2026-01-01T00:00:00.000Z", pageTimings: {}, ...page };
}

/** A HAR file of these entries, and pages if there are any. */
export function harOf(entries: readonly unknown[], pages?: readonly unknown[]): Record<string, unknown> {
  const log = { version: "1.2", creator: { name: "test", version: "1" }, entries };
  return { log: pages === undefined ? log : { ...log, pages } };
}

/** The bytes of a value as JSON, in one piece. */
export function bytesOf(value: unknown): Uint8Array[] {
  return [new TextEncoder().encode(JSON.stringify(value))];
}

export async function read(value: unknown): Promise<Capture> {
  return await readCapture(bytesOf(value));
}

/** The model of a HAR file of these entries. */
export async function importEntries(
  entries: readonly unknown[],
  pages?: readonly unknown[],
  options: ImportOptions = {},
): Promise<CaptureModel> {
  const { model } = await importCapture(() => bytesOf(harOf(entries, pages)), options);
  return model;
}

/** All requests of a model in the order of sending. */
export function requestsOf({ steps }: CaptureModel): CapturedRequest[] {
  return steps.flatMap(({ waves }) => waves.flatMap(({ requests }) => requests));
}

/** Paths of a model's requests, step by step. */
export function pathsOf({ steps }: CaptureModel): string[][] {
  return steps.map(({ waves }) =>
    waves.flatMap(({ requests }) => requests.map(({ path }) => `/${path.map(shownValue).join("/")}`)),
  );
}

/** A value as text, what is known only at run time in braces: `a{csrf}b`. */
export function shownValue({ value }: Pick<Atom, "value">): string {
  return value
    .map((part) => {
      if (part.kind === "text") return part.text;
      if (part.kind === "fresh") return `{fresh ${JSON.stringify(part.what)}}`;
      return `{${part.kind === "column" ? part.column : part.name}}`;
    })
    .join("");
}
