import {
  StopSignal,
  type BatchRequest,
  type BatchResponses,
  type Http,
  type RequestOptions,
  type RequestUrl,
  type Response,
} from "@bearhug/sdk";
import type { ValidatedHttp } from "@bearhug/sdk/internal";

import { DigestLogins } from "./authentication/digest-logins.ts";
import { Call, noOptions, type Awaited, type CallSurroundings, type GivenCall } from "./call.ts";
import type { FetchClient } from "./fetch/fetch-client.ts";
import { methodOf } from "./request/method.ts";
import { readBatch } from "./request/validate-options.ts";
import { createCookieAccess } from "./session/cookie-access.ts";
import type { Session } from "./session/session.ts";

/** Makes what of `http` is undici's, when a test first asks for it. */
export type MakeFetchClient = (session: Session) => FetchClient;

/** `http` as one VU's scenarios see it. Methods are bound, so that a test may take them apart. */
export function createHttp(session: Session, makeFetchClient: MakeFetchClient): Http {
  const client = new HttpClient(session);
  let fetchClient: FetchClient | null = null;
  const undici = (): FetchClient => (fetchClient ??= makeFetchClient(session));
  const withMethod =
    (method: string) =>
    (url: RequestUrl, options: RequestOptions = noOptions): Promise<Response> =>
      client.send(method, url, options);
  return {
    get: withMethod("GET"),
    post: withMethod("POST"),
    put: withMethod("PUT"),
    patch: withMethod("PATCH"),
    delete: withMethod("DELETE"),
    head: withMethod("HEAD"),
    options: withMethod("OPTIONS"),
    request: (method, url, options = noOptions) => client.request(method, url, options),
    batch: (requests) => client.batch(requests),
    get fetch() {
      return undici().fetch;
    },
    get dispatcher() {
      return undici().dispatcher;
    },
    cookies: createCookieAccess(() => {
      const { baseUrl, endpoints, mask } = session.environmentAt(session.vu.place());
      return {
        cookies: session.visitor.cookies,
        seen: mask.seen,
        baseUrl,
        move: (url) => endpoints.move(url),
      };
    }),
  };
}

class HttpClient {
  readonly #session: Session;
  #surroundings: CallSurroundings | null = null;

  constructor(session: Session) {
    this.#session = session;
  }

  async batch<const R extends readonly BatchRequest[]>(requests: R): Promise<BatchResponses<R>> {
    const { vu } = this.#session;
    const given = readBatch(requests, this.#session.environmentAt(vu.place()).options);
    const responses = requests.map((request, index) =>
      typeof request === "string"
        ? this.send("GET", request, noOptions)
        : this.send(methodOf(request.method ?? "GET"), request.url, request, given[index]),
    );
    // Every request settles before the batch does: a failure must not leave others running behind the test's back.
    await Promise.allSettled(responses);
    return Promise.all(responses) as Promise<BatchResponses<R>>;
  }

  request(method: unknown, url: RequestUrl, options: RequestOptions): Promise<Response> {
    return new Promise((resolve, reject) => {
      this.#call({ method: methodOf(method), url, options, http: null }, { resolve, reject });
    });
  }

  /** A request with its redirects; resolves when the last hop has settled. `http`: the options, where they have been read. */
  send(
    method: string,
    url: RequestUrl,
    options: RequestOptions,
    http: ValidatedHttp | null = null,
  ): Promise<Response> {
    return new Promise((resolve, reject) => {
      this.#call({ method, url, options, http }, { resolve, reject });
    });
  }

  #call(given: GivenCall, awaited: Awaited): void {
    const { vu } = this.#session;
    if (vu.isStopped) throw new StopSignal();
    vu.onCall();
    let call: Call;
    try {
      call = new Call((this.#surroundings ??= this.#surround()), given, awaited);
    } catch (error) {
      vu.onCallEnded();
      throw error;
    }
    call.begin();
  }

  /** The same for all of the session's requests: an engine has one clock. */
  #surround(): CallSurroundings {
    const session = this.#session;
    const { pool, bodies } = session;
    const { clock, deadlines, mask } = session.environmentAt(session.vu.place());
    const dependencies = { clock, deadlines, mask, pool, owner: session, bodies };
    return { session, logins: new DigestLogins(), dependencies };
  }
}
