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
import { installFetch, noteSent } from "./replaced-fetch.ts";

/** Rules for requests of a test's own code, and the log of those that are not measured. */
export interface GlobalFetchRules {
  /** The VU whose code runs; null outside of iterations and stages. */
  readonly current: () => Session | null;
  /** Requests that are none of the engine's may go out without it. */
  readonly mayGoAround: boolean;
  /** A request to a host that the test does not name is about to go around, or to be refused; told in the call itself. */
  readonly onUnnamed: (url: URL, isRefused: boolean) => void;
  /**
   * A `fetch` that has taken the place of the engine's, as a mock does, is called; told in the call itself. What it returns is
   * called when that `fetch` has answered and sent nothing.
   */
  readonly onReplaced: (url: URL) => () => void;
}

/** The global symbols under which Node and every copy of undici look for a default dispatcher: for old and new handlers. */
const dispatcherSymbols = [1, 2].map((version) => Symbol.for(`undici.globalDispatcher.${version}`));

/**
 * Makes `fetch`, with the classes that belong to it, and undici's global dispatcher the engine's, until the function that is
 * returned is called. The classes are replaced together: undici's know only each other.
 */
export function replaceFetch(rules: GlobalFetchRules): () => void {
  const before = getGlobalDispatcher();
  const around = rules.mayGoAround ? before : null;
  const classes = { FormData, Headers, Request, Response };
  const undo = ["fetch", ...Object.keys(classes), ...dispatcherSymbols].map(keepGlobal);
  for (const [name, value] of Object.entries(classes)) Reflect.set(globalThis, name, value);
  const endInstalled = installFetch(globalFetch(rules, around), (input) => {
    const url = replacedAddress(input, rules.current());
    return url === null ? () => undefined : rules.onReplaced(url);
  });
  setGlobalDispatcher(new GlobalDispatcher(rules, around));
  return () => {
    endInstalled();
    for (const restore of undo) restore();
  };
}

/** The address that a replaced `fetch` is called with, which may be another library's Request; null if it goes to no host. */
function replacedAddress(input: unknown, session: Session | null): URL | null {
  const given = typeof input === "object" && input !== null && "url" in input ? input.url : input;
  const isAddress = typeof given === "string" || given instanceof URL;
  const url = isAddress ? addressOf(given, session) : null;
  return url !== null && isWeb(url) ? url : null;
}

function isWeb({ protocol }: URL): boolean {
  return protocol === "http:" || protocol === "https:";
}

/** By its descriptor: to read a class of Node's would load Node's own undici. */
function keepGlobal(name: string | symbol): () => void {
  const descriptor = Object.getOwnPropertyDescriptor(globalThis, name);
  return () => {
    if (descriptor !== undefined) Object.defineProperty(globalThis, name, descriptor);
  };
}

function globalFetch(rules: GlobalFetchRules, around: Dispatcher | null): typeof fetch {
  return Object.defineProperty(
    (input: RequestInfo, init: RequestInit = {}) => {
      noteSent();
      const session = rules.current();
      note(rules, session, addressOf(input, session));
      return session === null ? fetch(input, init) : measuredFetch(session, input, init, around);
    },
    "name",
    { value: "fetch" },
  );
}

/** For whoever dispatches without a dispatcher of its own: undici's other functions, and other copies of undici. */
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

function note({ mayGoAround, onUnnamed }: GlobalFetchRules, session: Session | null, url: URL | null): void {
  if (url === null || !isWeb(url)) return;
  if (session?.environmentAt(session.vu.place()).endpoints.names(url) === true) return;
  if (session !== null || mayGoAround) onUnnamed(url, !mayGoAround);
}

function addressOf(input: RequestInfo, session: Session | null): URL | null {
  const address = completed(input, session?.environmentAt(session.vu.place()).baseUrl ?? null);
  return URL.parse(address instanceof Request ? address.url : String(address));
}
