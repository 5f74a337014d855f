import {
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
import { callerOf, EngineDispatcher } from "./engine-dispatcher.ts";
import { completed, measuredFetch } from "./measured-fetch.ts";
import { installFetch, noteRequestSent } from "./replaced-fetch.ts";

/** Rules for requests of a test's own code, and callbacks for those that are not measured. */
export interface GlobalFetchRules {
  /** Returns the session of the VU whose code is running; null outside of iterations and stages. */
  readonly current: () => Session | null;
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

/** The global symbols of the default dispatcher in all copies of undici, for old and new handlers. */
const dispatcherSymbols = [1, 2].map((version) => Symbol.for(`undici.globalDispatcher.${version}`));

/**
 * Replaces `fetch`, its classes and undici's global dispatcher with the engine's, until the returned function
 * is called. The classes are replaced together, because undici's only accept each other.
 */
export function replaceFetch(rules: GlobalFetchRules): () => void {
  const before = getGlobalDispatcher();
  const around = rules.mayBypassEngine ? before : null;
  const classes = { FormData, Headers, Request, Response };
  const undo = ["fetch", ...Object.keys(classes), ...dispatcherSymbols].map(keepGlobal);
  for (const [name, value] of Object.entries(classes)) Reflect.set(globalThis, name, value);
  const endInstalled = installFetch(globalFetch(rules, around), (input) => {
    const url = replacedAddress(input, rules.current());
    return url === null ? () => undefined : rules.onReplacedFetch(url);
  });
  setGlobalDispatcher(new GlobalDispatcher(rules, around));
  return () => {
    endInstalled();
    for (const restore of undo) restore();
  };
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

/** Returns a function that restores a global. Reading its value could load Node's own undici. */
function keepGlobal(name: string | symbol): () => void {
  const descriptor = Object.getOwnPropertyDescriptor(globalThis, name);
  return () => {
    if (descriptor !== undefined) Object.defineProperty(globalThis, name, descriptor);
  };
}

function globalFetch(rules: GlobalFetchRules, around: Dispatcher | null): typeof fetch {
  return Object.defineProperty(
    (input: RequestInfo, init: RequestInit = {}) => {
      noteRequestSent();
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

  constructor(rules: GlobalFetchRules, around: Dispatcher | null) {
    super(() => {
      const session = rules.current();
      return session === null ? null : callerOf(session);
    }, around);
    this.#rules = rules;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const { origin } = options;
    note(this.#rules, this.#rules.current(), origin === undefined ? null : URL.parse(String(origin)));
    return super.dispatch(options, handler);
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
