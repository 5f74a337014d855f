/** What to request, page by page: all that is needed to replay a capture. Plain data, structured-clonable. */
export interface CaptureModel {
  /** Origin of the capture's first document, such as `https://shop.example`. Its site is the first party. */
  readonly origin: string;
  /** Origins of the requests that are kept, in the order of their first request. */
  readonly hosts: readonly string[];
  readonly pages: readonly CapturedPage[];
  /** The entries that are not replayed, in file order. */
  readonly omissions: readonly Omission[];
}

/** A page as the browser loaded it. Has at least one request. */
export interface CapturedPage {
  /** Readable, unique in the model, safe to print and to write into a threshold's key. */
  readonly name: string;
  /** The document first, then the rest in recorded order. */
  readonly requests: readonly CapturedRequest[];
}

/** One request, as recorded. A redirect's next hop is a request of its own: do not follow. */
export interface CapturedRequest {
  /** Place in the file's `log.entries`, from 0. */
  readonly entryIndex: number;
  readonly method: string;
  /** Absolute, normalised as a browser does, without fragment and user info. */
  readonly url: string;
  /** No cookies, no credentials, nothing that the browser or the connection manages by itself. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** null for a request without one, and for every GET and HEAD. */
  readonly body: CapturedBody | null;
  /** null when the capture has no answer for this request. */
  readonly recordedStatus: number | null;
}

/** Text, to be sent as UTF-8, or bytes. */
export type CapturedBody = { readonly text: string } | { readonly base64: string };

/** Why an entry is not replayed. */
export type OmissionReason =
  | "third party"
  | "not HTTP"
  | "URL cannot be read"
  | "method cannot be sent"
  | "proxy tunnel"
  | "WebSocket"
  | "answered by the browser's cache"
  | "answered by a service worker"
  | "aborted by the browser"
  | "no answer recorded";

/** An entry that is not replayed. Safe to print. */
export interface Omission {
  readonly entryIndex: number;
  readonly method: string;
  /** Where the request went, secrets masked. */
  readonly url: string;
  /** Host of the URL; "" where it has none. */
  readonly host: string;
  readonly reason: OmissionReason;
}
