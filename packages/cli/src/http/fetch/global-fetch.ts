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

/** Rules for requests of a test's own code, and the log of those that are not measured. */
export interface GlobalFetchRules {
  /** The VU whose code runs; null outside of iterations and stages. */
  readonly current: () => Session | null;
  /** Requests that are none of the engine's may go out without it. */
  readonly mayGoAround: boolean;
  /** A request to a host that the test does not name is about to go around, or to be refused; told in the call itself. */
  readonly onUnnamed: (url: URL, isRefused: boolean) => void;
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
  const replaced = {
    fetch: globalFetch(rules, around),
    FormData,
    Headers,
    Request,
    Response,
  };
  const undo = [...Object.keys(replaced), ...dispatcherSymbols].map(keepGlobal);
  for (const [name, value] of Object.entries(replaced)) Reflect.set(globalThis, name, value);
  setGlobalDispatcher(new GlobalDispatcher(rules, around));
  return () => {
    for (const restore of undo) restore();
  };
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
  if (url === null || !/^https?:$/.test(url.protocol)) return;
  if (session?.environmentAt(session.vu.place()).endpoints.names(url) === true) return;
  if (session !== null || mayGoAround) onUnnamed(url, !mayGoAround);
}

function addressOf(input: RequestInfo, session: Session | null): URL | null {
  const address = completed(input, session?.environmentAt(session.vu.place()).baseUrl ?? null);
  return URL.parse(address instanceof Request ? address.url : String(address));
}
