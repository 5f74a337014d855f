import type { KnownHttpErrorCode } from "@bearhug/sdk";
import { foreign, type ForeignText, listed, told } from "@bearhug/text/foreign-text";
import type { Mask } from "@bearhug/text/secret-mask";

import type { MaskedFailure } from "../failures/failure-info.ts";
import type { Draft } from "../request/draft.ts";
import type { EndpointCache } from "../request/endpoint-cache.ts";
import { type Hop, isAmbiguous, nextHop } from "../request/redirects.ts";
import { RawResponseHeaders } from "../response/response-headers.ts";
import type { ReceivedResponse } from "../response/response.ts";

/** The step after a response: another request, the end, or a redirect that must not be followed. */
interface NextStep {
  readonly hop: Hop | null;
  readonly error: MaskedFailure | null;
}

const noUrls: readonly string[] = [];
const end: NextStep = { hop: null, error: null };

/** One request's redirects: how far they went, and how far they may. */
export class RedirectChain {
  readonly #endpoints: EndpointCache;
  readonly #maxRedirects: number;
  readonly #mask: Mask;
  /** Addresses that were asked. */
  #urls: readonly string[] = noUrls;
  #next: NextStep = end;

  constructor(endpoints: EndpointCache, most: number, mask: Mask) {
    this.#endpoints = endpoints;
    this.#maxRedirects = most;
    this.#mask = mask;
  }

  /** The request that the last response asks for; null where the chain ends. */
  get hop(): Hop | null {
    return this.#next.hop;
  }

  /** The reason why the last response's redirect must not be followed; null where it may be, and where it is none. */
  get error(): MaskedFailure | null {
    return this.#next.error;
  }

  /** Takes a response to `draft`, and returns true if another request follows it. */
  takes(received: Pick<ReceivedResponse, "status" | "rawHeaders" | "error">, draft: Draft): boolean {
    const { hop, error } = (this.#next = received.error === null ? this.#after(received, draft) : end);
    return hop !== null && error === null;
  }

  #after(received: Pick<ReceivedResponse, "status" | "rawHeaders">, draft: Draft): NextStep {
    const { status } = received;
    if (status < 300 || status > 399 || this.#maxRedirects === 0) return end;
    const { method, url, href } = draft.endpoint;
    const locations = new RawResponseHeaders(received.rawHeaders).getAll("location");
    const asked = nextHop(status, locations.find((location) => location !== "") ?? null, method, url);
    if (asked === null) return end;
    const hop = { ...asked, url: this.#endpoints.move(asked.url) };
    this.#urls = [...this.#urls, href];
    if (isAmbiguous(locations))
      return { hop, error: this.#fault("MALFORMED_RESPONSE", ambiguous(locations)) };
    return { hop, error: this.#objection(hop, draft) };
  }

  #objection(hop: Hop, draft: Draft): MaskedFailure | null {
    if (this.#urls.length > this.#maxRedirects) {
      const message = told`more than ${this.#maxRedirects} redirects: ${describeChain([...this.#urls, hop.url.href])}`;
      return this.#fault("TOO_MANY_REDIRECTS", message);
    }
    if (!this.#endpoints.allows(hop.url)) {
      const message = told`a redirect to ${hop.url.origin} was not followed: add "${hop.url.host}" to allowHosts to allow it`;
      return this.#fault("HOST_NOT_ALLOWED", message);
    }
    if (hop.keepsBody && !draft.isRepeatable) {
      const message = told`a redirect to ${hop.url.origin} needs the body again, but a stream can be read only once`;
      return this.#fault("REQUEST_BODY_FAILED", message);
    }
    return null;
  }

  #fault(code: KnownHttpErrorCode, message: ForeignText): MaskedFailure {
    return { code, message: message.shown(this.#mask), phase: "receiving" };
  }
}

function ambiguous(locations: readonly string[]): ForeignText {
  const some = locations.slice(0, 3).map((location) => foreign(location, 120));
  return told`the response redirects to several URLs at once: ${listed(some, ", ")}`;
}

/** Addresses that are shown at each end of a chain, and what is shown of a long one. */
const addressesAtEnd = 3;
const shownCharacters = 120;

/** The addresses of a chain of redirects, in words: the first and last few, and how many are between them. */
export function describeChain(urls: readonly string[]): ForeignText {
  const between = urls.length - 2 * addressesAtEnd;
  if (between <= 1) return listed(urls.map(shorten), " → ");
  const [first, last] = [urls.slice(0, addressesAtEnd), urls.slice(-addressesAtEnd)];
  return listed([...first.map(shorten), told`${between} more`, ...last.map(shorten)], " → ");
}

function shorten(url: string): ForeignText {
  return foreign(url, shownCharacters);
}
