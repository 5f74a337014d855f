import type { FetchOptions, Http } from "@bearhug/sdk";
import type { Dispatcher, RequestInfo } from "undici";

import type { Session } from "../session/session.ts";
import { callerOf, EngineDispatcher } from "./engine-dispatcher.ts";
import { measuredFetch } from "./measured-fetch.ts";

/** The parts of `http` that are undici's. */
export type FetchClient = Pick<Http, "fetch" | "dispatcher">;

type Fetch = FetchClient["fetch"];

/** Makes a VU's `fetch` and dispatcher. */
export function createFetchClient(session: Session): FetchClient {
  const dispatcher: Dispatcher = new EngineDispatcher(() => callerOf(session), null);
  // Tests see the types of the undici in their Node, which differ from ours in what newer versions add.
  const fetch = (
    input: Parameters<Fetch>[0],
    init: Parameters<Fetch>[1] & FetchOptions = {},
  ): ReturnType<typeof measuredFetch> => measuredFetch(session, input as RequestInfo, init, null);
  return { fetch, dispatcher: dispatcher as FetchClient["dispatcher"] };
}
