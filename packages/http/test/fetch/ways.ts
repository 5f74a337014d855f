import { Dispatcher, request } from "undici";

import { replaceFetch } from "../../src/fetch/global-fetch.ts";
import type { TestClient } from "../start-client.ts";

interface WayRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer | null;
  readonly signal: AbortSignal | null;
}
interface WayResponse {
  readonly status: number;
  readonly text: string;
}
interface Opened {
  readonly status: number;
  /** The pieces of the body as they come. */
  readonly body: AsyncIterable<Uint8Array> | null;
}

type Client = Pick<TestClient, "http" | "session">;

export type Way = (client: Client, asked: WayRequest) => Promise<WayResponse>;

/** The ways that a client may take to the engine. Each resolves when the head of the response has come. */
export const openings: Readonly<Record<string, (client: Client, asked: WayRequest) => Promise<Opened>>> = {
  "http.fetch": async ({ http }, { url, ...init }) => http.fetch(url, init),
  "the global fetch": async ({ session }, { url, ...init }) => {
    const undo = replaceFetch({
      current: () => session,
      isExempt: () => false,
      mayBypassEngine: false,
      onUnlistedHost: () => {},
      onReplacedFetch: () => () => {},
    });
    const answer = fetch(url, init);
    undo();
    return answer;
  },
  "request with http.dispatcher": async ({ http }, { url, ...options }) => {
    const dispatcher: unknown = http.dispatcher;
    if (!(dispatcher instanceof Dispatcher)) throw new TypeError("no Dispatcher of undici's");
    const { statusCode, body } = await request(url, { ...options, dispatcher });
    return { status: statusCode, body };
  },
};

/** The same ways; each resolves with the whole body. */
export const ways: Readonly<Record<string, Way>> = Object.fromEntries(
  Object.entries(openings).map(([by, open]) => [
    by,
    async (client, asked) => readAll(await open(client, asked)),
  ]),
);

async function readAll({ status, body }: Opened): Promise<WayResponse> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body ?? []) pieces.push(piece);
  return { status, text: Buffer.concat(pieces).toString() };
}
