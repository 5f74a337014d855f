import {
  StopSignal,
  type BatchRequest,
  type BatchResponses,
  type CookieJar,
  type Http,
  type RequestOptions,
  type RequestUrl,
  type Response,
} from "@bearhug/sdk";
import type { ValidatedHttp } from "@bearhug/sdk/internal";

import { DigestLogins } from "./authentication/digest-logins.ts";
import { Call, noOptions, type Awaited, type CallSurroundings, type GivenCall } from "./call.ts";
import type { FetchClient } from "./fetch/fetch-client.ts";
import { explainNames, k6NamesOfHttp } from "./response/k6-names.ts";
import { methodOf } from "./request/method.ts";
import { readBatch } from "./request/validate-options.ts";
import { createCookieAccess, createJar, type CookieSource } from "./session/cookie-access.ts";
import { Cookies } from "./session/cookies.ts";
import type { Session } from "./session/session.ts";

/** Makes what of `http` is undici's, when a test first asks for it. */
export type MakeFetchClient = (session: Session) => FetchClient;

/**
 * `http` as one VU's scenarios see it. Methods are bound, so that a test may take them apart. All share their getters: V8 keeps
 * an object that has getters of its own as a dictionary, which is slower and takes hundreds of bytes more.
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
    const client = new HttpClient(session);
    this.#session = session;
    this.#makeFetchClient = makeFetchClient;
    this.get = (url, options = noOptions) => client.send("GET", url, options);
    this.post = (url, options = noOptions) => client.send("POST", url, options);
    this.put = (url, options = noOptions) => client.send("PUT", url, options);
    this.patch = (url, options = noOptions) => client.send("PATCH", url, options);
    this.delete = (url, options = noOptions) => client.send("DELETE", url, options);
    this.head = (url, options = noOptions) => client.send("HEAD", url, options);
    this.options = (url, options = noOptions) => client.send("OPTIONS", url, options);
    this.request = (method, url, options = noOptions) => client.request(method, url, options);
    this.batch = (requests) => client.batch(requests);
    this.newJar = () => newJarOf(session);
    Object.defineProperties(this, HttpOfVu.#getters);
  }

  #undici(): FetchClient {
    return (this.#fetchClient ??= this.#makeFetchClient(this.#session));
  }
}

explainNames(HttpOfVu.prototype, "http", k6NamesOfHttp);

function cookiesOf(session: Session): CookieJar {
  return createCookieAccess(() => ({ ...surroundings(session), cookies: session.visitor.cookies }));
}

function newJarOf(session: Session): CookieJar {
  const { clock } = session.environmentAt(session.vu.place());
  return createJar(() => surroundings(session), new Cookies(clock));
}

function surroundings(session: Session): Omit<CookieSource, "cookies"> {
  const { baseUrl, endpoints, mask } = session.environmentAt(session.vu.place());
  return { seen: mask.seen, baseUrl, move: (url) => endpoints.move(url) };
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
