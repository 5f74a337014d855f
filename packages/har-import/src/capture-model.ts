import type { Extractor } from "@bearhug/sdk";
import type { Finding } from "./capture.ts";
import type { Atom, Value } from "./value.ts";

/**
 * The requests of a capture, step by step: everything needed to write a test, or to show what was understood. Plain data,
 * without any secret of the capture.
 */
export interface CaptureModel {
  /** Origin of the capture's first document, such as `https://shop.example`. Its site is the first party. */
  readonly origin: string;
  /** Origins of the requests that are kept, in the order of their first request. */
  readonly hosts: readonly string[];
  readonly steps: readonly CapturedStep[];
  /**
   * Connections to one host that a VU needs if the target speaks HTTP/1.1: six, like a browser, or as many requests as a
   * recording over HTTP/2 had in flight at once.
   */
  readonly connections: number;
  /** Cookies that the browser had before the recording: a visitor is given them at the start. */
  readonly cookies: readonly CapturedCookie[];
  /** Environment variables of the test: required ones first, each kind in the order of first use. */
  readonly variables: readonly Variable[];
  /** True if requests that change something told which page they came from: then the test's tell it, too. */
  readonly sendsOrigin: boolean;
  readonly tables: readonly DataTable[];
  /** The entries that are not replayed, in file order. */
  readonly omissions: readonly Omission[];
  /** Parts of the file that could not be read. */
  readonly findings: readonly Finding[];
  /** Remarks for people, a sentence each. Safe to print. */
  readonly notes: readonly string[];
}

/** The result of an import. */
export interface ImportedCapture {
  readonly model: CaptureModel;
  /** The secrets that were found, as they were written: texts that stand in no output. */
  readonly redacted: readonly string[];
  /** The recorded value of each variable, by name. Secret: only for a `.env` that the user asks for. */
  readonly recordedValues: Readonly<Record<string, string>>;
}

/** A page as the browser loaded it, or what a person did on it. Has at least one request. */
export interface CapturedStep {
  /** "group": requests that no document began, such as the calls that a click makes. */
  readonly kind: "page" | "group";
  /** Readable, unique in the model, safe to print and to write into a threshold's key. */
  readonly name: string;
  readonly waves: readonly Wave[];
  /** From the first start to the last end of its requests; null where the capture does not say. */
  readonly recordedMs: number | null;
  /** From its end to the start of the next step; 0 for the last. */
  readonly thinkAfterMs: number;
}

/** Requests that start together, once those of the waves before that do not outlast them are answered. */
export interface Wave {
  /** The browser's own time between the end of the waves before and the start of this one. */
  readonly afterMs: number;
  /** In recorded order; the document alone in the first wave of a page. */
  readonly requests: readonly CapturedRequest[];
}

/** One request. */
export interface CapturedRequest {
  /** Place in the file's `log.entries`, from 0. */
  readonly entryIndex: number;
  /** Places of the entries that redirects led to: they are followed, not asked for. */
  readonly redirectedTo: readonly number[];
  readonly method: string;
  readonly origin: string;
  /** Segments behind the first slash, decoded: `/` is one empty segment. */
  readonly path: readonly Atom[];
  /** Parameters, decoded; one without `=` has no name. */
  readonly query: readonly Atom[];
  /**
   * The whole address where an answer handed it out, signature and all: then `path` and `query` only tell what it was
   * like, and are not sent.
   */
  readonly address?: Value;
  /** No cookies, nothing that the browser or the connection manages by itself. */
  readonly headers: readonly Atom[];
  /** Address of the page that it came from, of the same origin; null for a request that changes nothing or does not say. */
  readonly referer: Referer | null;
  /** Its name in reports, where that after its path would be another one for each object; null where it is not. */
  readonly name: string | null;
  /** null for a request without one, and for every HEAD. */
  readonly body: CapturedBody | null;
  /** The status of the last answer, redirects followed; null when the capture has no answer for this request. */
  readonly recordedStatus: number | null;
  /**
   * Path that redirects led to; null where none did, or it says nothing. Of a request that changes something, `:id` stands
   * for segments that differ from run to run; of any other, all of it is words that will be the same again.
   */
  readonly landsOn: string | null;
  /** Signs, besides the status, that a request was accepted which changes something: a refusal may have the same status. */
  readonly proofs: readonly Proof[];
  /** Values of its response that later requests use. */
  readonly extractions: readonly Extraction[];
  /** Values that may depend on an earlier response: one line each, for a person to decide. Safe to print. */
  readonly hints: readonly string[];
  /** True if later waves did not wait for it. The end of its step does. */
  readonly outlasts: boolean;
  /** Milliseconds from the start of its step; null where the capture does not say. */
  readonly recorded: { readonly startMs: number; readonly endMs: number } | null;
}

/** An address in the `referer` header: its path and query, as those of a request. */
export type Referer = Pick<CapturedRequest, "path" | "query">;

/** Something by which an answer says that what was asked for was done. */
export type Proof =
  /** A field of its JSON that says how it went: `success: true`, `type: "redirect"`. */
  | { readonly kind: "field"; readonly name: string; readonly value: string | boolean }
  /** JSON without errors in `error` and `errors`. */
  | { readonly kind: "no errors" }
  | SessionProof;

/** The cookie of a session that a login began; `isReplaced`: in the place of another one. */
export interface SessionProof {
  readonly kind: "session";
  readonly cookie: string;
  /** An address that it is sent to. */
  readonly url: string;
  readonly isReplaced: boolean;
}

/** The body of a request. Its content-type is among the request's headers. */
export type CapturedBody =
  /** `written` is the recorded text, exact to the byte, as long as no value in it has changed. */
  | { readonly kind: "json"; readonly root: JsonShape; readonly written: string }
  | { readonly kind: "form"; readonly fields: readonly Atom[] }
  | { readonly kind: "multipart"; readonly boundary: string; readonly parts: readonly MultipartPart[] }
  | { readonly kind: "text"; readonly text: Atom }
  | { readonly kind: "bytes"; readonly base64: string };

/** A JSON value. Texts and numbers are atoms under the nearest key. */
export type JsonShape =
  | { readonly kind: "literal"; readonly value: boolean | null }
  | { readonly kind: "string"; readonly atom: Atom }
  | { readonly kind: "number"; readonly atom: Atom }
  | { readonly kind: "list"; readonly items: readonly JsonShape[] }
  | { readonly kind: "object"; readonly fields: readonly (readonly [key: string, value: JsonShape])[] };

export interface MultipartPart {
  /** Name and content of the field. */
  readonly atom: Atom;
  readonly fileName: string | null;
  readonly contentType: string | null;
  /** Variable with the path of a file whose content was not recorded; "" until variables have names. */
  readonly file?: string;
}

/** A value that an answer hands out and later requests use. */
export interface Extraction {
  /** An identifier, unique in the model. */
  readonly name: string;
  readonly from: Extractor;
}

export interface CapturedCookie {
  readonly name: string;
  readonly origin: string;
  readonly value: Value;
}

/** An environment variable for a value of the capture: a secret, what its visitor had, or the path of a file. */
export interface Variable {
  /** Capital letters, digits and `_`. */
  readonly name: string;
  /** Its origin, in a sentence: "The password that POST /login sends." Safe to print. */
  readonly description: string;
  /** True where the test runs without it: a cookie is not sent then, any other value is sent empty. */
  readonly isOptional: boolean;
  /** True for what everybody may see: the path of a file, a cookie such as `theme=dark`. */
  readonly isPublic?: true;
}

/** Recorded data of requests that differ in nothing else: a file of rows. */
export interface DataTable {
  /** An identifier, unique in the model, and a file's name. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The reason for which an entry is not replayed. */
export type OmissionReason =
  | "third party"
  | "analytics or advertising"
  | "bot check"
  | "not HTTP"
  | "invalid URL"
  | "invalid method"
  | "proxy tunnel"
  | "WebSocket"
  | "event stream"
  | "CORS preflight"
  | "served from the browser cache"
  | "served by a service worker"
  | "aborted by the browser"
  | "no response recorded"
  | "static file (--static drop)"
  | "host skipped (--skip-hosts)"
  | "skipped (--skip)"
  | "not matched (--only)"
  | "has a secret that no variable can replace";

/** An entry that is not replayed. Safe to print. */
export interface Omission {
  readonly entryIndex: number;
  readonly method: string;
  /** The address of the request, with its secrets masked. */
  readonly url: string;
  /** Host of the URL; "" where it has none. */
  readonly host: string;
  readonly reason: OmissionReason;
}
