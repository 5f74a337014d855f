/** Servers end connections with GOAWAY: outcomes must agree with the server's count of processed requests. */
import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import type { ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import type { Http, Response } from "@bearhug/sdk";
import { expect, test } from "vitest";

import { startClient } from "../start-client.ts";
import { ends, FarewellCase, GoawayServer, kinds, lastStreams, type Farewell } from "./goaway-server.ts";
import { openHttp2 } from "./open-http2.ts";
import * as raw from "./raw-frames.ts";
import { startRawHttp2Server } from "./raw-http2-server.ts";

const either = [false, true] as const;

const farewells: readonly Farewell[] = lastStreams.flatMap((last) =>
  kinds.flatMap((kind) =>
    ends.flatMap((end) =>
      either.flatMap((hasLaterFrames) =>
        either.map((isOneWrite) => ({ last, kind, end, hasLaterFrames, isOneWrite })),
      ),
    ),
  ),
);

function nameOf({ last, kind, end, hasLaterFrames, isOneWrite }: Farewell): string {
  return `${last} ${kind}, ${end}${hasLaterFrames ? ", later frames" : ""}${isOneWrite ? ", one write" : ""}`;
}

interface Calls {
  readonly http: Http;
  readonly method: "GET" | "POST";
  readonly isRetried: boolean;
}

interface Outcome {
  readonly succeeded: number;
  /** Requests whose outcome contradicts the server's count. */
  readonly wrong: readonly string[];
}

/** Sends a case's requests. */
async function play(played: FarewellCase, prefix: string, calls: Calls): Promise<Outcome> {
  const { http, method, isRetried } = calls;
  const body = method === "POST" ? { body: "x" } : {};
  const aborts = new Map<string, AbortController>();
  const send = async (path: string): Promise<Response> => {
    const abort = new AbortController();
    aborts.set(path, abort);
    return await http.request(method, path, { ...body, name: "r", signal: abort.signal });
  };
  await http.request(method, `${prefix}/first`, { ...body, name: "r" });
  const paths = Array.from({ length: 6 }, (_, index) => `${prefix}/${index}`);
  const outcomes = new Map(paths.map((path) => [path, send(path)]));
  await played.isOver;
  const answered = [...outcomes].filter(([path]) => !played.unanswered.has(path));
  await Promise.all(answered.map(([, outcome]) => outcome));
  for (const path of played.unanswered) aborts.get(path)?.abort();
  const wrong: string[] = [];
  let succeeded = 1;
  for (const [path, outcome] of outcomes) {
    const { error } = await outcome;
    if (error === null) succeeded++;
    const count = played.processed.get(path) ?? 0;
    const isUnprocessed = error?.message.includes("the request was not processed") === true;
    const mayBeEither = played.farewell.end === "reset at once" && error !== null && !isUnprocessed;
    const expected = isUnprocessed ? 0 : 1;
    const isWrong = mayBeEither ? count > 1 : count !== expected || (isUnprocessed && isRetried);
    const wasLost = played.answered.has(path) && error !== null;
    if (isWrong || wasLost)
      wrong.push(
        `${nameOf(played.farewell)}: ${path} was processed ${count} times, and is ${error?.message ?? "a success"}`,
      );
  }
  return { succeeded, wrong };
}

const variants = (["bearhug", "undici"] as const).flatMap((transport) =>
  (["GET", "POST"] as const).flatMap((method) =>
    either.map((isRetried) => ({ transport, method, isRetried })),
  ),
);

test.each(variants)(
  "after a GOAWAY, outcomes agree with the server's count of processed requests ($transport, $method, retryOnStaleConnection $isRetried)",
  async ({ transport, method, isRetried }) => {
    // A client that may not have read the GOAWAY may retry an idempotent request.
    const isToPlay = ({ end }: Farewell): boolean =>
      end !== "reset at once" || method === "POST" || !isRetried;
    const cases = farewells
      .filter(isToPlay)
      .map((farewell, index) => [String(index), new FarewellCase(farewell)] as const);
    const server = await GoawayServer.start(new Map(cases));
    const http: ValidatedHttp = {
      ...defaultHttp,
      transport,
      protocol: "h2c",
      retryOnStaleConnection: isRetried,
      timeout: { ...defaultHttp.timeout, wholeMs: 20_000 },
    };
    const client = startClient(`http://127.0.0.1:${server.port}`, [], [], http);
    const outcomes = await Promise.all(
      cases.map(([name, played]) =>
        play(played, `/${name}`, { http: client.another().http, method, isRetried }),
      ),
    );
    expect(outcomes.flatMap(({ wrong }) => wrong)).toEqual([]);
    const succeeded = outcomes.reduce((total, one) => total + one.succeeded, 0);
    expect(client.row("r")).toMatchObject({ succeeded });
  },
);

const ok: raw.Fields = [[":status", "200"]];

test.each([
  ["its head", (id: number) => raw.headers(id, ok)],
  ["an interim response", (id: number) => raw.headers(id, [[":status", "103"]])],
] as const)("a request is never reported as unprocessed once %s has come", async (_what, begun) => {
  const ends: readonly ((id: number) => Buffer)[] = [
    (id) => raw.rstStream(id, "REFUSED_STREAM"),
    () => raw.goaway(0, "NO_ERROR"),
    () => raw.goaway(0, "INTERNAL_ERROR"),
  ];
  for (const speaks of ["bearhug", "undici"] as const) {
    for (const end of ends) {
      for (const isOneRead of either) {
        const server = await startRawHttp2Server({
          answer: (id) =>
            isOneRead
              ? [Buffer.concat([begun(id), end(id)])]
              : [begun(id), raw.ping(), { awaits: "PING" }, end(id)],
        });
        const { send } = await openHttp2(server.port, { speaks });
        expect(await send().failure()).toMatchObject({ isUnprocessed: false });
      }
    }
  }
});
