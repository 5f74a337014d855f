import { Dispatcher, request } from "undici";

import { replaceFetch } from "../../../src/http/fetch/global-fetch.ts";
import type { TestClient } from "../start-client.ts";

interface Asked {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer | null;
  readonly signal: AbortSignal | null;
}
interface Answered {
  readonly status: number;
  readonly text: string;
}

export type Way = (client: Pick<TestClient, "http" | "session">, asked: Asked) => Promise<Answered>;

/** The ways that a client may take to the engine. */
export const ways: Readonly<Record<string, Way>> = {
  "http.fetch": async ({ http }, { url, ...init }) => readAll(await http.fetch(url, init)),
  "the global fetch": async ({ session }, { url, ...init }) => {
    const undo = replaceFetch({ current: () => session, mayGoAround: false, onUnnamed: () => {} });
    const answer = fetch(url, init);
    undo();
    return readAll(await answer);
  },
  "request with http.dispatcher": async ({ http }, { url, ...options }) => {
    const dispatcher: unknown = http.dispatcher;
    if (!(dispatcher instanceof Dispatcher)) throw new TypeError("no Dispatcher of undici's");
    const { statusCode, body } = await request(url, { ...options, dispatcher });
    return { status: statusCode, text: await body.text() };
  },
};

async function readAll(response: Response): Promise<Answered> {
  return { status: response.status, text: await response.text() };
}
