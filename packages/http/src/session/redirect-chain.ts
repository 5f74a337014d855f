import type { KnownHttpErrorCode } from "@bearhug/sdk";
import { foreignLine, type ForeignText, joinForeign, foreignSentence } from "@bearhug/text/foreign-text";
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

/** The redirects of one request, and their limit. */
export class RedirectChain {
  readonly #endpoints: EndpointCache;
  readonly #maxRedirects: number;
  readonly #mask: Mask;
  /** Addresses that were requested. */
  #urls: readonly string[] = noUrls;
  #next: NextStep = end;

  constructor(endpoints: EndpointCache, maxRedirects: number, mask: Mask) {
    this.#endpoints = endpoints;
    this.#maxRedirects = maxRedirects;
    this.#mask = mask;
  }

  /** The request that the last response redirects to; null if it does not redirect. */
  get hop(): Hop | null {
    return this.#next.hop;
  }

  /** The reason why the last response's redirect must not be followed; null if it may be, or is none. */
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
    const target = nextHop(status, locations.find((location) => location !== "") ?? null, method, url);
    if (target === null) return end;
    const hop = { ...target, url: this.#endpoints.move(target.url) };
    this.#urls = [...this.#urls, href];
    if (isAmbiguous(locations))
      return { hop, error: this.#fault("MALFORMED_RESPONSE", ambiguous(locations)) };
    return { hop, error: this.#reasonNotFollowed(hop, draft) };
  }

  #reasonNotFollowed(hop: Hop, draft: Draft): MaskedFailure | null {
    if (this.#urls.length > this.#maxRedirects) {
      const message = foreignSentence`more than ${this.#maxRedirects} redirects: ${describeChain([...this.#urls, hop.url.href])}`;
      return this.#fault("TOO_MANY_REDIRECTS", message);
    }
    if (!this.#endpoints.allows(hop.url)) {
      const message = foreignSentence`a redirect to ${hop.url.origin} was not followed: add "${hop.url.host}" to allowHosts to allow it`;
      return this.#fault("HOST_NOT_ALLOWED", message);
    }
    if (hop.keepsBody && !draft.isRepeatable) {
      const message = foreignSentence`a redirect to ${hop.url.origin} needs the body again, but a stream can be read only once`;
      return this.#fault("REQUEST_BODY_FAILED", message);
    }
    return null;
  }

  #fault(code: KnownHttpErrorCode, message: ForeignText): MaskedFailure {
    return { code, message: message.masked(this.#mask), phase: "receiving" };
  }
}

function ambiguous(locations: readonly string[]): ForeignText {
  const some = locations.slice(0, 3).map((location) => foreignLine(location, 120));
  return foreignSentence`the response redirects to several URLs at once: ${joinForeign(some, ", ")}`;
}

/** How many addresses are shown at each end of a chain, and how many characters of each. */
const addressesAtEnd = 3;
const shownCharacters = 120;

/** Describes a chain of redirects: the first and last few addresses, and how many are between them. */
export function describeChain(urls: readonly string[]): ForeignText {
  const between = urls.length - 2 * addressesAtEnd;
  if (between <= 1) return joinForeign(urls.map(shorten), " → ");
  const [first, last] = [urls.slice(0, addressesAtEnd), urls.slice(-addressesAtEnd)];
  return joinForeign([...first.map(shorten), foreignSentence`${between} more`, ...last.map(shorten)], " → ");
}

function shorten(url: string): ForeignText {
  return foreignLine(url, shownCharacters);
}
