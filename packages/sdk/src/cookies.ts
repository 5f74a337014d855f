import type { RequestUrl } from "./request-options.ts";

/**
 * The cookies of one virtual user. What responses set is kept and sent by itself, by the rules of browsers; this is for
 * a test that looks at them or sets its own. Which cookies are meant is always asked of an address: those that would be
 * sent to it. `url` is the test's `baseUrl` where it is left out. The functions may be taken apart.
 * What is not possible throws an error whose `code` is `INVALID_REQUEST` or, for an address that is none, `INVALID_URL`.
 */
export interface CookieJar {
  /** A cookie's value as it is sent; null where none of that name would be. */
  readonly get: (name: string, url?: RequestUrl) => string | null;
  /** Values by name, in the order in which they are sent. Of several with one name it is the first. */
  readonly all: (url?: RequestUrl) => ReadonlyMap<string, string>;
  /**
   * Keeps a cookie as if `url` had set it.
   * Throws where a browser would not keep it, and where the test keeps no cookies (`http.cookies: "off"`).
   */
  readonly set: (name: string, value: string, options?: CookieOptions) => void;
  /** Forgets them all. */
  readonly clear: () => void;
}

/** Where and how long a cookie that a test sets is sent. */
export interface CookieOptions {
  /** @default the test's `baseUrl` */
  readonly url?: RequestUrl;
  /** Sent to this host and those below it. @default the host of `url` alone */
  readonly domain?: string;
  /** Sent to addresses in this folder and those below it. @default "/" */
  readonly path?: string;
  /** Sent over https, and to this machine, only. @default false */
  readonly secure?: boolean;
  /** Seconds until it is forgotten. @default when the virtual user forgets its cookies */
  readonly maxAge?: number;
}
