import type { Extractor } from "@bearhug/sdk";
import type { Finding } from "./capture.ts";
import type { Atom, Value } from "./value.ts";

/**
 * The requests of a capture, step by step: everything needed to write a test or to explain the import. Plain
 * data, without any secret of the capture.
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
  /** Cookies that the browser had before the recording. Each VU starts with them. */
  readonly cookies: readonly CapturedCookie[];
  /** Environment variables of the test: required ones first, each kind in the order of first use. */
  readonly variables: readonly Variable[];
  /**
   * True if recorded requests that change something named the page that sent them (`origin`, `referer`): the
   * test's requests then do so, too.
   */
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
  /** The secrets found in the capture, as they were written there. None of them appears in any output. */
  readonly redacted: readonly string[];
  /** The recorded value of each variable, by name. Secret: only for a `.env` that the user asks for. */
  readonly recordedValues: Readonly<Record<string, string>>;
}

/** A page load, or what the visitor did on a page. Has at least one request. */
export interface CapturedStep {
  /** "group": requests that did not begin with a document, such as the calls that a click makes. */
  readonly kind: "page" | "group";
  /** Readable, unique in the model, safe to print and to write into a threshold's key. */
  readonly name: string;
  readonly waves: readonly Wave[];
  /** From the first start to the last end of its requests; null where the capture does not say. */
  readonly recordedMs: number | null;
  /** From its end to the start of the next step; 0 for the last. */
  readonly thinkAfterMs: number;
}

/** Requests that start together, once earlier waves have their responses, except for `outlasts` requests. */
export interface Wave {
  /** The browser's own processing time between the end of the earlier waves and the start of this one. */
  readonly afterMs: number;
  /** In recorded order; the document alone in the first wave of a page. */
  readonly requests: readonly CapturedRequest[];
}

/** One request. */
export interface CapturedRequest {
  /** Place in the file's `log.entries`, from 0. */
  readonly entryIndex: number;
  /**
   * Indexes of the entries that redirects led to. The client follows redirects: the test does not request
   * these itself.
   */
  readonly redirectedTo: readonly number[];
  readonly method: string;
  readonly origin: string;
  /** Segments after the first slash, decoded: `/` is one empty segment. */
  readonly path: readonly Atom[];
  /** Parameters, decoded; one without `=` has no name. */
  readonly query: readonly Atom[];
  /**
   * The complete address, if it is extracted from an earlier response, signature and all. Then `path` and
   * `query` only describe the recorded address and are not sent.
   */
  readonly address?: Value;
  /** Without cookies, and without headers that the browser or the connection manages itself. */
  readonly headers: readonly Atom[];
  /**
   * The page that sent the request, if it has the same origin; null if the request changes nothing or does
   * not name its page.
   */
  readonly referer: Referer | null;
  /** Its name in reports, if the default name would differ for each object; otherwise null. */
  readonly name: string | null;
  /** null for a request without one, and for every HEAD. */
  readonly body: CapturedBody | null;
  /**
   * The status of the final response, after redirects; null if the capture has no response to this request.
   */
  readonly recordedStatus: number | null;
  /**
   * The status with which the same request succeeded later, if it was refused with 401: a token that had
   * expired in the recording may be valid in a test. Otherwise null.
   */
  readonly renewedStatus: number | null;
  /**
   * Path where the request has to end, after redirects; null if the test does not check it. For a request
   * that changes something, `:id` stands for segments that differ from run to run. For any other request,
   * every segment is a word that stays the same.
   */
  readonly landsOn: string | null;
  /**
   * Parameters that the address where it has to end must have, too, as a query: `route=account/home`. Only
   * where the path alone says nothing, because other pages have it, too. Without meaning if `landsOn` is null.
   */
  readonly landingQuery?: string;
  /**
   * Signs, besides the status, that the response is the right one: a rejection may have the same status.
   */
  readonly proofs: readonly Proof[];
  /** Values of its response that later requests use. */
  readonly extractions: readonly Extraction[];
  /**
   * Remarks for the user, one line each: values that may come from an earlier response, missing bodies. Safe
   * to print.
   */
  readonly hints: readonly string[];
  /** True if later waves do not wait for its response. The end of its step does. */
  readonly outlasts: boolean;
  /** Milliseconds from the start of its step; null where the capture does not say. */
  readonly recorded: { readonly startMs: number; readonly endMs: number } | null;
}

/** The path and query of a `referer` header, as atoms like those of a request. */
export type Referer = Pick<CapturedRequest, "path" | "query">;

/** A sign in a response that it is the right one. */
export type Proof =
  /** Its type. For any other type than these two, only HTML is wrong: servers disagree about types of files. */
  | { readonly kind: "type"; readonly type: "HTML" | "JSON" | "other" }
  /** A field of its JSON that states the outcome: `success: true`, `code: 0`, `type: "redirect"`. */
  | { readonly kind: "field"; readonly name: string; readonly value: string | number | boolean }
  /** JSON without errors in `error` and `errors`. */
  | { readonly kind: "no errors" }
  /** The status of gRPC-Web. HTTP has status 200 for errors, too. */
  | { readonly kind: "grpc status"; readonly code: number }
  /** A page without the password's field of the form that was sent: a rejected form is shown again. */
  | { readonly kind: "no field"; readonly name: string }
  | SessionProof;

/**
 * The cookie of a session that a login started; `isReplaced` if the login request already sent a cookie of
 * this name.
 */
export interface SessionProof {
  readonly kind: "session";
  readonly cookie: string;
  /** A URL that the cookie is sent to. */
  readonly url: string;
  readonly isReplaced: boolean;
}

/** The body of a request. Its content-type is among the request's headers. */
export type CapturedBody =
  /** `written` is the recorded text, exact to the byte. It is valid only while no value in it has changed. */
  | { readonly kind: "json"; readonly root: JsonShape; readonly written: string }
  | { readonly kind: "form"; readonly fields: readonly Atom[] }
  | { readonly kind: "multipart"; readonly boundary: string; readonly parts: readonly MultipartPart[] }
  | { readonly kind: "text"; readonly text: Atom }
  | { readonly kind: "bytes"; readonly base64: string };

/** A JSON value. Strings and numbers are atoms, named after the nearest key. */
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
  /**
   * Name of the variable with the path of a file whose content was not recorded; "" until variables have
   * names.
   */
  readonly file?: string;
}

/** A value that is extracted from a response for later requests. */
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

/** An environment variable for a value of the capture: a secret, a cookie from before, or the path of a file. */
export interface Variable {
  /** Capital letters, digits and `_`. */
  readonly name: string;
  /** Its origin, in a sentence: "The password that POST /login sends." Safe to print. */
  readonly description: string;
  /** True if the test runs without it: then a cookie is not sent, and any other value is sent empty. */
  readonly isOptional: boolean;
  /** True if the value is not secret: the path of a file, a cookie such as `theme=dark`. */
  readonly isPublic?: true;
}

/** Recorded values of requests that are otherwise identical, as rows of a data file. */
export interface DataTable {
  /** An identifier, unique in the model; also the name of the file. */
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
