/** The part of an `AbortSignal` that exists on every platform. */
interface AbortSignalShape {
  readonly aborted: boolean;
  readonly reason: unknown;
}

interface BlobShape {
  readonly size: number;
  readonly type: string;
  arrayBuffer(): Promise<ArrayBuffer>;
}

interface FormDataShape extends Iterable<[name: string, value: string | BlobShape]> {
  append(name: string, value: string): void;
}

interface UrlSearchParamsShape extends Iterable<[name: string, value: string]> {
  append(name: string, value: string): void;
}

/**
 * The platform's own `AbortSignal`, as the user's project declares it (`@types/node` or the DOM library), so
 * that this package needs neither.
 */
export type PlatformAbortSignal = typeof globalThis extends {
  AbortSignal: { prototype: infer Signal };
}
  ? Signal
  : AbortSignalShape;

/** The platform's own `Blob`. A `File` is one. */
export type PlatformBlob = typeof globalThis extends { Blob: { prototype: infer Value } } ? Value : BlobShape;

/** The platform's own `FormData`. */
export type PlatformFormData = typeof globalThis extends { FormData: { prototype: infer Value } }
  ? Value
  : FormDataShape;

/** The part of a `fetch` response that every platform has. */
interface FetchResponseShape {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly url: string;
  readonly redirected: boolean;
  readonly headers: Iterable<[name: string, value: string]> & { get(name: string): string | null };
  readonly body: unknown;
  arrayBuffer(): Promise<ArrayBuffer>;
  json(): Promise<unknown>;
  text(): Promise<string>;
}

interface FetchInitShape {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>> | Iterable<readonly [name: string, value: string]>;
  readonly body?: unknown;
  readonly redirect?: "follow" | "manual" | "error";
  readonly signal?: AbortSignalShape | null;
}

type FetchShape = (
  input: string | { readonly href: string },
  init?: FetchInitShape,
) => Promise<FetchResponseShape>;

/** The platform's own `fetch`. */
export type PlatformFetch = typeof globalThis extends { fetch: infer Fetch } ? Fetch : FetchShape;

/** The platform's own `URLSearchParams`. */
export type PlatformUrlSearchParams = typeof globalThis extends {
  URLSearchParams: { prototype: infer Value };
}
  ? Value
  : UrlSearchParamsShape;
