import type { HttpErrorInfo } from "@bearhug/sdk";

import type { Draft } from "../request/draft.ts";
import type { EndpointCache } from "../request/endpoint-cache.ts";
import { RawResponseHeaders } from "../response/response-headers.ts";
import type { ReceivedResponse } from "../response/response.ts";
import { describeChain } from "./describe-chain.ts";
import { isAmbiguous, nextHop, type Hop } from "./redirects.ts";

const defaultRedirects = 10;

/** What comes after an answer: another request, the end, or a redirect that must not be followed. */
export interface NextStep {
  readonly hop: Hop | null;
  readonly error: HttpErrorInfo | null;
}

const noUrls: readonly string[] = [];
const end: NextStep = { hop: null, error: null };

/** One request's redirects: how far they went, and how far they may. */
export class RedirectChain {
  readonly #endpoints: EndpointCache;
  readonly #most: number;
  /** Addresses that were asked. */
  #urls: readonly string[] = noUrls;

  constructor(endpoints: EndpointCache, most: number | undefined) {
    this.#endpoints = endpoints;
    this.#most = most ?? defaultRedirects;
  }

  /** What follows an answer to `draft`. */
  after(received: Pick<ReceivedResponse, "status" | "rawHeaders">, draft: Draft): NextStep {
    const { status } = received;
    if (status < 300 || status > 399 || this.#most === 0) return end;
    const { method, url, href } = draft.endpoint;
    const locations = new RawResponseHeaders(received.rawHeaders).getAll("location");
    const asked = nextHop(status, locations.find((location) => location !== "") ?? null, method, url);
    if (asked === null) return end;
    const hop = { ...asked, url: this.#endpoints.move(asked.url) };
    this.#urls = [...this.#urls, href];
    if (isAmbiguous(locations)) return { hop, error: ambiguous(locations) };
    return { hop, error: this.#objection(hop, draft) };
  }

  #objection(hop: Hop, draft: Draft): HttpErrorInfo | null {
    if (this.#urls.length > this.#most) {
      const message = `more than ${this.#most} redirects: ${describeChain([...this.#urls, hop.url.href])}`;
      return { code: "TOO_MANY_REDIRECTS", message, phase: "receiving" };
    }
    if (!this.#endpoints.allows(hop.url)) {
      const message = `a redirect to ${hop.url.origin} was not followed: add "${hop.url.host}" to allowHosts to allow it`;
      return { code: "HOST_NOT_ALLOWED", message, phase: "receiving" };
    }
    if (hop.keepsBody && !draft.isRepeatable) {
      const message = `a redirect to ${hop.url.origin} asks for the body again, and a stream can be read only once`;
      return { code: "REQUEST_BODY_FAILED", message, phase: "receiving" };
    }
    return null;
  }
}

function ambiguous(locations: readonly string[]): HttpErrorInfo {
  const some = locations.slice(0, 3).map((location) => location.slice(0, 120));
  const message = `the answer redirects to several addresses at once: ${some.join(", ")}`;
  return { code: "MALFORMED_RESPONSE", message, phase: "receiving" };
}
