import { subscribe, unsubscribe } from "node:diagnostics_channel";

import { isEngineDispatching } from "@bearhug/http/undici/engine-dispatch";
import { readProperty } from "@bearhug/plan/protocol/read-thrown";
import { attempt } from "@bearhug/text/caught-error";

type OnAddress = (url: URL) => void;

/**
 * Reports each request of node:http and undici that bypasses the engine, until the returned function is
 * called. It cannot block requests: an exception in a subscriber would be an uncaught exception.
 */
export function watchRequests(onRequest: OnAddress): () => void {
  const ends = Object.entries(channels).map(([name, addressOf]) => {
    const listener = (message: unknown): void => {
      const url = attempt(() => addressOf(readProperty(message, "request")));
      if (url !== null) onRequest(url);
    };
    subscribe(name, listener);
    return () => unsubscribe(name, listener);
  });
  return () => {
    for (const end of ends) end();
  };
}

/** Reads the host of a request, by the channel that reports it; null for a request of the engine. */
const channels: Readonly<Record<string, (request: unknown) => URL | null>> = {
  "undici:request:create": (request) =>
    isEngineDispatching() ? null : new URL(String(readProperty(request, "origin"))),
  "http.client.request.start": (request) => {
    const getHeader = readProperty(request, "getHeader");
    const host: unknown =
      typeof getHeader === "function" ? Reflect.apply(getHeader, request, ["host"]) : undefined;
    const name = typeof host === "string" ? host : String(readProperty(request, "host"));
    return new URL(`${String(readProperty(request, "protocol"))}//${name}`);
  },
};
