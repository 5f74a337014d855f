import type { ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import type { RandomSource } from "@bearhug/plan/pacing/random-source";
import type { Auth, AwsAuth, DigestAuth, RequestOptions } from "@bearhug/sdk";

import type { WireRequest } from "../transport/transport.ts";
import type { Hop } from "./redirects.ts";
import { signForAws } from "../authentication/sign-aws.ts";
import type { EndpointCache } from "./endpoint-cache.ts";
import type { Endpoint } from "./endpoint.ts";
import type { MissingValues } from "./missing-values.ts";
import { RequestFault } from "./request-fault.ts";
import { encodeBody, type EncodedBody } from "./request-body.ts";
import {
  defaultsForOtherOrigin,
  givenValues,
  headersForRedirect,
  requestHeaders,
  withVariantHeaders,
  type GivenHeaders,
} from "./request-headers.ts";
import { withSiteAddresses } from "./site-headers.ts";

/** The options of a call without any. */
export const noOptions: RequestOptions = {};

/** The headers and credentials of a call without options. */
const nothingOwn = {};

/** The settings that a draft takes from its scenario. */
export interface DraftSettings {
  readonly defaultHeaders: readonly string[];
  /** See `HttpEnvironment`. */
  readonly variantHeaders: readonly string[];
  /** Chooses multipart boundaries. */
  readonly random: RandomSource;
  /** Paths of files to send are relative to it. */
  readonly folder: string;
  readonly endpoints: Pick<EndpointCache, "siteAddress">;
  readonly missingValues: MissingValues | null;
}

/** A request before it is sent. It is kept for redirects and retries. */
export class Draft {
  readonly endpoint: Endpoint;
  readonly #headers: RequestOptions["headers"];
  /** Credentials of the request; undefined without any, and after a redirect to another origin. */
  readonly auth: Auth | undefined;
  readonly #body: EncodedBody | null;
  readonly #defaultHeaders: readonly string[];
  readonly #missingValues: MissingValues | null;

  constructor(
    endpoint: Endpoint,
    { headers, auth }: { readonly headers?: GivenHeaders["headers"]; readonly auth?: Auth | undefined },
    body: EncodedBody | null,
    defaultHeaders: readonly string[],
    missingValues: MissingValues | null = null,
  ) {
    this.endpoint = endpoint;
    this.#headers = headers;
    this.auth = auth;
    this.#body = body;
    this.#defaultHeaders = defaultHeaders;
    this.#missingValues = missingValues;
  }

  /** Creates the draft of a request. @throws {RequestFault} if it cannot be sent */
  static of(
    endpoint: Endpoint,
    options: RequestOptions,
    { auth, origin }: Pick<ValidatedHttp, "auth" | "origin">,
    { defaultHeaders, variantHeaders, random, folder, endpoints, missingValues }: DraftSettings,
  ): Draft {
    if (options === noOptions && auth === null) return new Draft(endpoint, nothingOwn, null, defaultHeaders);
    const body = encodeBody(options, random, folder);
    if (auth !== null) validateSigning(auth, body);
    // A bare request has the variant's headers among its defaults, and so costs no more than without variants.
    const isBare = options.headers === undefined && auth === null && body === null;
    const given = options.headers;
    const isAddressed = origin && given !== undefined;
    const own = isAddressed ? withSiteAddresses(endpoint.method, given, endpoints) : given;
    const headers = variantHeaders.length === 0 || isBare ? own : withVariantHeaders(own, variantHeaders);
    return new Draft(endpoint, { headers, auth: auth ?? undefined }, body, defaultHeaders, missingValues);
  }

  /** Returns the request as it is sent. `added`: headers that the visitor adds, names and values in turn. */
  wire(added: readonly string[]): WireRequest {
    const { endpoint, auth } = this;
    const isBare = auth === undefined && this.#body === null && added.length === 0;
    if (isBare && this.#headers === undefined && endpoint.plain.headers === this.#defaultHeaders)
      return endpoint.plain;
    if (!isBare) return this.#compose(added);
    const known = endpoint.repeated.get(this.#headers, this.#defaultHeaders);
    if (known !== null) return known;
    return endpoint.repeated.keep(this.#headers, this.#defaultHeaders, this.#compose(added));
  }

  #compose(added: readonly string[]): WireRequest {
    const { endpoint, auth } = this;
    const given = { headers: this.#headers, auth: isSigning(auth) ? undefined : auth };
    const headers = requestHeaders(this.#defaultHeaders, given, this.#body, this.#missingValues);
    const { method, origin } = endpoint;
    const request = { method, origin, path: endpoint.plain.path, headers, body: this.#body?.body ?? null };
    const isSigned = auth !== undefined && "region" in auth && !this.setsHeader("authorization");
    const signature = isSigned ? signForAws(request, auth) : [];
    return { ...request, headers: [...headers, ...signature, ...added], isConstant: false };
  }

  /** Returns true if the test sets the header itself, for this request or for all. */
  setsHeader(name: string): boolean {
    if (this.#defaultHeaders.some((text, index) => index % 2 === 0 && text.toLowerCase() === name))
      return true;
    return givenValues(this.#headers, name).length > 0;
  }

  /** Called when the call is over: closes a stream of the test's that was not read to its end. */
  abandon(): void {
    const body = this.#body?.body ?? null;
    if (body !== null && !(body instanceof Uint8Array)) body.abandon?.();
  }

  get hasBody(): boolean {
    return this.#body !== null;
  }

  /** True if there is no body, or one that can be sent again. */
  get isRepeatable(): boolean {
    const body = this.#body?.body ?? null;
    return body === null || body instanceof Uint8Array || body.isRepeatable;
  }

  /** Returns the draft of the request that a redirect leads to. */
  redirected(hop: Hop, endpoint: Endpoint): Draft {
    const isCrossOrigin = hop.url.origin !== this.endpoint.origin.text;
    const headers =
      this.#headers === undefined
        ? undefined
        : headersForRedirect(this.#headers, { isCrossOrigin, keepsBody: hop.keepsBody });
    const auth = isCrossOrigin ? undefined : this.auth;
    const defaults = isCrossOrigin ? defaultsForOtherOrigin(this.#defaultHeaders) : this.#defaultHeaders;
    const body = hop.keepsBody ? this.#body : null;
    return new Draft(endpoint, { headers, auth }, body, defaults, this.#missingValues);
  }
}

/** Returns true for credentials that depend on the request itself, or on the server's challenge. */
export function isSigning(auth: Auth | undefined): auth is DigestAuth | AwsAuth {
  return auth !== undefined && "type" in auth && (auth.type === "digest" || auth.type === "aws-sigv4");
}

function validateSigning(auth: Auth, body: EncodedBody | null): void {
  if (body === null || body.body instanceof Uint8Array || !("region" in auth) || auth.service === "s3")
    return;
  throw new RequestFault(
    "INVALID_REQUEST",
    `auth: AWS signatures cover the body, so it cannot be a stream (except for the service "s3"). Pass bytes.`,
  );
}
