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

/** The fields that a test overrides. Values may have any type, as in real captures. */
export type Overrides<T> = { readonly [Key in keyof T]?: unknown } & Readonly<Record<string, unknown>>;

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

/** Returns an entry with a GET request and an image as its response, unless overridden. */
export function entryOf(
  url: string,
  {
    request = {},
    response = {},
    ...rest
  }: { request?: Overrides<Request>; response?: Overrides<Response> } & Overrides<
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

/** Returns an entry whose response is an HTML document. */
export function documentOf(url: string, rest: Parameters<typeof entryOf>[1] = {}): Record<string, unknown> {
  return entryOf(url, {
    ...rest,
    response: { content: { size: 6, mimeType: "text/html", text: "<html>" }, ...rest.response },
  });
}

/** Returns an element of `log.pages`. */
export function pageOf(id: string, page: Overrides<Page> = {}): Record<string, unknown> {
  return { id, title: "", startedDateTime: "2026-01-01T00:00:00.000Z", pageTimings: {}, ...page };
}

/** Returns a HAR file with these entries, and with pages if given. */
export function harOf(entries: readonly unknown[], pages?: readonly unknown[]): Record<string, unknown> {
  const log = { version: "1.2", creator: { name: "test", version: "1" }, entries };
  return { log: pages === undefined ? log : { ...log, pages } };
}

/** Returns a value as the bytes of its JSON, in one chunk. */
export function bytesOf(value: unknown): Uint8Array[] {
  return [new TextEncoder().encode(JSON.stringify(value))];
}

export async function read(value: unknown): Promise<Capture> {
  return await readCapture(bytesOf(value));
}

/** Imports a HAR file with these entries and returns its model. */
export async function importEntries(
  entries: readonly unknown[],
  pages?: readonly unknown[],
  options: ImportOptions = {},
): Promise<CaptureModel> {
  const { model } = await importCapture(() => bytesOf(harOf(entries, pages)), options);
  return model;
}

/** Returns all requests of a model in sending order. */
export function requestsOf({ steps }: CaptureModel): CapturedRequest[] {
  return steps.flatMap(({ waves }) => waves.flatMap(({ requests }) => requests));
}

/** Returns the paths of a model's requests, one list per step. */
export function pathsOf({ steps }: CaptureModel): string[][] {
  return steps.map(({ waves }) =>
    waves.flatMap(({ requests }) => requests.map(({ path }) => `/${path.map(shownValue).join("/")}`)),
  );
}

/** Returns a value as text, with parts that are known only at run time in braces: `a{csrf}b`. */
export function shownValue({ value }: Pick<Atom, "value">): string {
  return value
    .map((part) => {
      if (part.kind === "text") return part.text;
      if (part.kind === "fresh") return `{fresh ${JSON.stringify(part.what)}}`;
      return `{${part.kind === "column" ? part.column : part.name}}`;
    })
    .join("");
}
