import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse, validateHeaderValue } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

import type { FreshValues } from "./fresh-values.ts";
import type { RecordedResponse, RecordedExchange, WireRequest } from "./recorded-exchange.ts";

/** A site that sends the recorded responses with fresh values, and keeps every request that it receives. */
export interface RecordedSite {
  readonly url: string;
  /** All requests, in order of arrival. */
  readonly received: readonly WireRequest[];
  /** Returns every header and text body that it has sent. */
  sent(): string;
  close(): Promise<void>;
}

export async function openRecordedSite(
  exchanges: readonly RecordedExchange[],
  fresh: FreshValues,
): Promise<RecordedSite> {
  const received: WireRequest[] = [];
  const sent: string[] = [];
  const choose = createChooser(exchanges, fresh);
  const hosts = new Set(exchanges.map(({ request }) => request.host));
  const respond = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request: WireRequest = {
      method: incoming.method ?? "",
      target: incoming.url ?? "",
      contentType: incoming.headers["content-type"] ?? "",
      body: await buffer(incoming),
    };
    received.push(request);
    const chosen = choose(request);
    if (chosen === null) {
      response.writeHead(404).end("never asked for");
      return;
    }
    const headers = chosen.headers.flatMap((header) => servedHeader(header, hosts, fresh));
    const body = chosen.isText ? Buffer.from(fresh.renew(chosen.body.toString("utf8"))) : chosen.body;
    sent.push(...headers.flat(), ...(chosen.isText ? [body.toString("utf8")] : []));
    for (const [name, value] of headers) response.appendHeader(name, value);
    response.statusCode = chosen.status < 200 ? 200 : chosen.status;
    const hasBody = incoming.method !== "HEAD" && ![204, 304].includes(response.statusCode);
    response.end(hasBody ? body : undefined);
  };
  const server = createServer({ keepAliveTimeout: 75_000 }, (incoming, response) => {
    void respond(incoming, response).catch((error: unknown) => response.destroy(asError(error)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    sent: () => sent.join("\n"),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/**
 * Headers that cannot be replayed: they are about the recorded connection, its encoding or its body length.
 */
const ofTheConnection =
  /^(?:connection|keep-alive|transfer-encoding|content-length|content-encoding|upgrade|alt-svc|date|strict-transport-security|:.*)$/;

function servedHeader(
  [name, recorded]: readonly [string, string],
  hosts: ReadonlySet<string>,
  fresh: FreshValues,
): [string, string][] {
  if (ofTheConnection.test(name)) return [];
  let value = fresh.renew(recorded);
  if (name === "location") value = withoutHost(value, hosts);
  // The visit may be years ago, and this server has no TLS and another host name.
  if (name === "set-cookie")
    value = value.replace(
      /;\s*(?:domain|expires|max-age|secure|partitioned|samesite)(?:=[^;]*)?(?=;|$)/gi,
      "",
    );
  try {
    validateHeaderValue(name, value);
  } catch {
    return [];
  }
  return [[name, value]];
}

/** Turns a redirect to a recorded host into one to this site. */
function withoutHost(location: string, hosts: ReadonlySet<string>): string {
  if (!URL.canParse(location)) return location;
  const { host, pathname, search, hash } = new URL(location);
  return hosts.has(host) ? pathname + search + hash : location;
}

type Chooser = (request: WireRequest) => RecordedResponse | null;

/**
 * Returns a function that chooses the response of the most similar exchange, preferring the least used one.
 */
function createChooser(exchanges: readonly RecordedExchange[], fresh: FreshValues): Chooser {
  const given = new Map<RecordedExchange, number>();
  return (request) => {
    const target = fresh.restore(request.target);
    const body = fresh.restore(request.body.toString("latin1"));
    const scored = exchanges
      .filter((exchange) => exchange.request.method === request.method)
      .map((exchange) => ({
        exchange,
        score:
          likeness(exchange.request.target, target) * 10 +
          (exchange.request.body.toString("latin1") === body ? 2 : 0) -
          (given.get(exchange) ?? 0),
      }))
      .filter(({ score }) => score > 0)
      .sort((left, right) => right.score - left.score);
    const chosen = scored[0]?.exchange;
    if (chosen === undefined) return null;
    given.set(chosen, (given.get(chosen) ?? 0) + 1);
    return chosen.response;
  };
}

/** Returns 1 for equal targets, less the fewer segments and parameters are equal, down to 0. */
function likeness(recorded: string, asked: string): number {
  if (recorded === asked) return 1;
  const [path = "", query = ""] = recorded.split("?", 2);
  const [askedPath = "", askedQuery = ""] = asked.split("?", 2);
  const shares = [
    share(path.split("/"), askedPath.split("/")),
    share(query.split("&"), askedQuery.split("&")),
  ];
  const [ofPath = 0, ofQuery = 0] = shares;
  if (path.split("/").length !== askedPath.split("/").length) return 0;
  return path === askedPath ? 0.6 + 0.3 * ofQuery : 0.5 * ofPath;
}

function share(recorded: readonly string[], asked: readonly string[]): number {
  return recorded.filter((part, index) => part === asked[index]).length / recorded.length;
}
