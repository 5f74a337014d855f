import {
  Dispatcher1Wrapper,
  fetch,
  FormData,
  getGlobalDispatcher,
  Headers,
  Request,
  Response,
  setGlobalDispatcher,
  type Dispatcher,
  type RequestInfo,
  type RequestInit,
} from "undici";

import type { Session } from "../session/session.ts";
import { keepDispatchers, oldDefault } from "./default-dispatchers.ts";
import { callerOf, EngineDispatcher } from "./engine-dispatcher.ts";
import { completed, measuredFetch } from "./measured-fetch.ts";
import { installFetch, noteRequestSent } from "./replaced-fetch.ts";
import { SplitGlobal } from "./split-global.ts";

/** Rules for requests of a test's own code, and callbacks for those that are not measured. */
export interface GlobalFetchRules {
  /** Returns the session of the VU whose code is running; null outside of iterations and stages. */
  readonly current: () => Session | null;
  /**
   * Returns true while code runs that is not restricted: it keeps the `fetch`, the classes and the
   * dispatchers from before.
   */
  readonly isExempt: () => boolean;
  /** True if requests that the engine does not send may be sent without it. */
  readonly mayBypassEngine: boolean;
  /** Called synchronously when a request to an unlisted host is about to be sent or refused. */
  readonly onUnlistedHost: (url: URL, isRefused: boolean) => void;
  /**
   * Called synchronously when a `fetch` that has replaced the engine's, such as a mock, is called. The
   * returned function is called if that `fetch` has responded without sending anything.
   */
  readonly onReplacedFetch: (url: URL) => () => void;
}

/**
 * Replaces `fetch`, its classes and undici's global dispatchers with the engine's, until the returned function
 * is called. The classes are replaced together, because undici's only accept each other.
 */
export function replaceFetch(rules: GlobalFetchRules): () => void {
  const before = getGlobalDispatcher();
  const around = rules.mayBypassEngine ? before : null;
  const restoreDispatchers = keepDispatchers();
  const replacedClasses = Object.entries({ FormData, Headers, Request, Response }).map(([name, own]) =>
    replaceClass(own, new SplitGlobal(name, rules.isExempt)),
  );
  const replacedFetch = new SplitGlobal("fetch", rules.isExempt);
  const onCall = (input: unknown): (() => void) => {
    const url = rules.isExempt() ? null : replacedAddress(input, rules.current());
    return url === null ? () => undefined : rules.onReplacedFetch(url);
  };
  const endInstalled = installFetch(globalFetch(rules, around), onCall, replacedFetch);
  replaceDispatchers(new GlobalDispatcher(rules, { before, around }), rules);
  return () => {
    endInstalled();
    for (const replaced of [replacedFetch, ...replacedClasses]) replaced.restore();
    restoreDispatchers();
  };
}

function replaceClass(own: unknown, global: SplitGlobal): SplitGlobal {
  let value = own;
  const set = (given: unknown): void => {
    value = given;
  };
  global.replace({ get: () => value, set });
  return global;
}

function replaceDispatchers(own: Dispatcher, { isExempt }: GlobalFetchRules): void {
  const before: unknown = Reflect.get(globalThis, oldDefault);
  setGlobalDispatcher(own);
  // Not derived from the one for new handlers: an older copy of undici sets this one alone.
  if (isDispatcher(before))
    Reflect.set(globalThis, oldDefault, new OldGlobalDispatcher(own, before, isExempt));
}

function isDispatcher(value: unknown): value is Dispatcher {
  return typeof value === "object" && value !== null && "dispatch" in value;
}

/** Returns the address of a call to a replaced `fetch`; null if it is not HTTP. Accepts any Request class. */
function replacedAddress(input: unknown, session: Session | null): URL | null {
  const given = typeof input === "object" && input !== null && "url" in input ? input.url : input;
  const isAddress = typeof given === "string" || given instanceof URL;
  const url = isAddress ? addressOf(given, session) : null;
  return url !== null && isWeb(url) ? url : null;
}

function isWeb({ protocol }: URL): boolean {
  return protocol === "http:" || protocol === "https:";
}

function globalFetch(rules: GlobalFetchRules, around: Dispatcher | null): typeof fetch {
  return Object.defineProperty(
    (input: RequestInfo, init: RequestInit = {}) => {
      noteRequestSent();
      // Exempt code that got hold of this function needs the classes that belong to it.
      if (rules.isExempt()) return fetch(input, init);
      const session = rules.current();
      note(rules, session, addressOf(input, session));
      return session === null ? fetch(input, init) : measuredFetch(session, input, init, around);
    },
    "name",
    { value: "fetch" },
  );
}

/** The default dispatcher, used by undici's other functions and by other copies of undici. */
class GlobalDispatcher extends EngineDispatcher {
  readonly #rules: GlobalFetchRules;
  readonly #before: Dispatcher;

  constructor(
    rules: GlobalFetchRules,
    { before, around }: { readonly before: Dispatcher; readonly around: Dispatcher | null },
  ) {
    super(() => {
      const session = rules.current();
      return session === null ? null : callerOf(session);
    }, around);
    this.#rules = rules;
    this.#before = before;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (this.#rules.isExempt()) return this.#before.dispatch(options, handler);
    const { origin } = options;
    note(this.#rules, this.#rules.current(), origin === undefined ? null : URL.parse(String(origin)));
    return super.dispatch(options, handler);
  }
}

/** The default dispatcher of older copies of undici, such as Node's own. */
class OldGlobalDispatcher extends Dispatcher1Wrapper {
  readonly #before: Dispatcher;
  readonly #isExempt: () => boolean;

  constructor(own: Dispatcher, before: Dispatcher, isExempt: () => boolean) {
    super(own);
    this.#before = before;
    this.#isExempt = isExempt;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    return this.#isExempt() ? this.#before.dispatch(options, handler) : super.dispatch(options, handler);
  }
}

function note(
  { mayBypassEngine, onUnlistedHost }: GlobalFetchRules,
  session: Session | null,
  url: URL | null,
): void {
  if (url === null || !isWeb(url)) return;
  if (session?.environmentAt(session.vu.place()).endpoints.names(url) === true) return;
  if (session !== null || mayBypassEngine) onUnlistedHost(url, !mayBypassEngine);
}

function addressOf(input: RequestInfo, session: Session | null): URL | null {
  const address = completed(input, session?.environmentAt(session.vu.place()).baseUrl ?? null);
  return URL.parse(address instanceof Request ? address.url : String(address));
}
