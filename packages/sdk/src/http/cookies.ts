import type { RequestUrl } from "./request-url.ts";

/**
 * The cookies of one virtual user. bearhug keeps and sends cookies from responses as browsers do; use this to read them or to
 * set your own. The functions work on the cookies that would be sent to `url`, by default the test's `baseUrl`. You may
 * destructure them. Errors have the `code` `INVALID_REQUEST`, or `INVALID_URL` for an invalid URL.
 */
export interface CookieJar {
  /** The value of a cookie as it is sent; null if none of that name would be sent. */
  readonly get: (name: string, url?: RequestUrl) => string | null;
  /** Values by name, in the order in which they are sent; the first, if several have the same name. */
  readonly all: (url?: RequestUrl) => ReadonlyMap<string, string>;
  /**
   * Stores a cookie as if `url` had set it.
   * Throws if a browser would not store it, or if the test keeps no cookies (`http.cookies: "off"`).
   */
  readonly set: (name: string, value: string, options?: CookieOptions) => void;
  /** Deletes all cookies. */
  readonly clear: () => void;
}

/** The scope and lifetime of a cookie that a test sets. */
export interface CookieOptions {
  /** The URL that sets the cookie. @default the test's `baseUrl` */
  readonly url?: RequestUrl;
  /** The cookie is sent to this host and its subdomains. @default the host of `url` only */
  readonly domain?: string;
  /** The cookie is sent to URLs below this path. @default "/" */
  readonly path?: string;
  /** True if the cookie is sent only over https, and to localhost. @default false */
  readonly secure?: boolean;
  /** Seconds until it expires. @default kept until the virtual user's cookies are deleted */
  readonly maxAge?: number;
}
