import type { ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import {
  type BatchRequest,
  type BatchResponses,
  type CookieJar,
  type Http,
  type RequestOptions,
  type RequestUrl,
  type Response,
} from "@bearhug/sdk";

import { Call } from "./call.ts";
import type { FetchClient } from "./fetch/measured-fetch.ts";
import { explainNames, k6NamesOfHttp } from "./response/k6-names.ts";
import { noOptions } from "./request/draft.ts";
import { readBatch } from "./request/validate-options.ts";
import { createCookieAccess, createJar, type JarSource } from "./session/cookie-access.ts";
import { Cookies } from "./session/cookies.ts";
import type { Session } from "./session/session.ts";

/** Creates the parts of `http` that use undici, on first use. */
export type MakeFetchClient = (session: Session) => FetchClient;

/**
 * `http` as one VU's scenarios see it. Methods are bound, so that a test may destructure them. Instances
 * share their getters: V8 turns an object with its own getters into a dictionary, which is slower and takes
 * hundreds of bytes more.
 */
export class HttpOfVu implements Http {
  static readonly #getters: PropertyDescriptorMap & ThisType<HttpOfVu> = {
    fetch: {
      enumerable: true,
      get() {
        return this.#undici().fetch;
      },
    },
    dispatcher: {
      enumerable: true,
      get() {
        return this.#undici().dispatcher;
      },
    },
    cookies: {
      enumerable: true,
      get() {
        return (this.#cookies ??= cookiesOf(this.#session));
      },
    },
  };
  readonly #session: Session;
  readonly #makeFetchClient: MakeFetchClient;
  #fetchClient: FetchClient | null = null;
  #cookies: CookieJar | null = null;
  readonly get: Http["get"];
  readonly post: Http["post"];
  readonly put: Http["put"];
  readonly patch: Http["patch"];
  readonly delete: Http["delete"];
  readonly head: Http["head"];
  readonly options: Http["options"];
  readonly request: Http["request"];
  readonly batch: Http["batch"];
  readonly newJar: Http["newJar"];
  declare readonly fetch: Http["fetch"];
  declare readonly dispatcher: Http["dispatcher"];
  declare readonly cookies: Http["cookies"];

  constructor(session: Session, makeFetchClient: MakeFetchClient) {
    this.#session = session;
    this.#makeFetchClient = makeFetchClient;
    this.get = (url, options = noOptions) => call(session, "GET", url, options);
    this.post = (url, options = noOptions) => call(session, "POST", url, options);
    this.put = (url, options = noOptions) => call(session, "PUT", url, options);
    this.patch = (url, options = noOptions) => call(session, "PATCH", url, options);
    this.delete = (url, options = noOptions) => call(session, "DELETE", url, options);
    this.head = (url, options = noOptions) => call(session, "HEAD", url, options);
    this.options = (url, options = noOptions) => call(session, "OPTIONS", url, options);
    this.request = (method, url, options = noOptions) => call(session, method, url, options);
    this.batch = (requests) => batch(session, requests);
    this.newJar = () => newJarOf(session);
    Object.defineProperties(this, HttpOfVu.#getters);
  }

  #undici(): FetchClient {
    return (this.#fetchClient ??= this.#makeFetchClient(this.#session));
  }
}

explainNames(HttpOfVu.prototype, "http", k6NamesOfHttp);

function cookiesOf(session: Session): CookieJar {
  return createCookieAccess(() => ({ ...jarSource(session), cookies: session.visitor.cookies }));
}

function newJarOf(session: Session): CookieJar {
  const { clock } = session.environmentAt(session.vu.place());
  return createJar(() => jarSource(session), new Cookies(clock));
}

function jarSource(session: Session): Omit<JarSource, "cookies"> {
  const { baseUrl, endpoints, mask, missingValues } = session.environmentAt(session.vu.place());
  return { seen: mask.seen, missingValues, baseUrl, move: (url) => endpoints.move(url) };
}

/**
 * Sends a request and follows its redirects; resolves when the last hop has settled. `http`: the validated
 * options, if they have been read already.
 */
function call(
  session: Session,
  method: unknown,
  url: RequestUrl,
  options: RequestOptions,
  http: ValidatedHttp | null = null,
): Promise<Response> {
  const { vu } = session;
  if (vu.isStopped) return vu.refuse();
  return new Promise((resolve, reject) => {
    vu.onCall();
    let begun: Call;
    try {
      begun = new Call(session, { method, url, options, http }, { resolve, reject });
    } catch (error) {
      vu.onCallEnded();
      throw error;
    }
    begun.begin();
  });
}

async function batch<const R extends readonly BatchRequest[]>(
  session: Session,
  requests: R,
): Promise<BatchResponses<R>> {
  const given = readBatch(requests, session.environmentAt(session.vu.place()).options);
  const responses = requests.map((request, index) =>
    typeof request === "string"
      ? call(session, "GET", request, noOptions)
      : call(session, request.method ?? "GET", request.url, request, given[index]),
  );
  // The batch waits for every request, so that a failure leaves no others running unnoticed.
  await Promise.allSettled(responses);
  return Promise.all(responses) as Promise<BatchResponses<R>>;
}
