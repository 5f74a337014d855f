import { describe, expect, test } from "vitest";
import { Dispatcher, getGlobalDispatcher, Request, Response } from "undici";

import { replaceFetch } from "../../src/fetch/global-fetch.ts";
import { startServer } from "../servers.ts";
import { startClient, type TestClient } from "../start-client.ts";

/** Returns the VU's dispatcher, composed to mark each request. */
function markingDispatcher({ http }: TestClient): Dispatcher {
  const dispatcher: unknown = http.dispatcher;
  if (!(dispatcher instanceof Dispatcher)) throw new TypeError("no Dispatcher of undici's");
  return dispatcher.compose(
    (dispatch) => (options, handler) =>
      dispatch({ ...options, headers: { "x-through": "its own" } }, handler),
  );
}

/** The types of the platform's `fetch` do not know the npm package's class. */
const senders: Readonly<Record<string, (client: TestClient, ...given: unknown[]) => unknown>> = {
  "http.fetch": ({ http }, ...given) => {
    const answer: unknown = Reflect.apply(http.fetch, undefined, given);
    return answer;
  },
  "the global fetch": ({ session }, ...given) => {
    const undo = replaceFetch({
      current: () => session,
      isExempt: () => false,
      mayBypassEngine: false,
      onUnlistedHost: () => {},
      onReplacedFetch: () => () => {},
    });
    const answer: unknown = Reflect.apply(fetch, undefined, given);
    undo();
    return answer;
  },
};

async function textOf(answer: unknown): Promise<string> {
  const response = await answer;
  if (!(response instanceof Response)) throw new TypeError("no Response of undici's");
  return response.text();
}

describe.each(Object.entries(senders))("%s", (_name, send) => {
  test("sends a Request through the dispatcher that it was created with, or through the VU's without one", async () => {
    const server = await startServer((request, response) => {
      response.end(String(request.headers["x-through"]));
    });
    const client = startClient(server.url);
    const before = getGlobalDispatcher();
    const dispatcher = markingDispatcher(client);
    const made = new Request(server.url, { dispatcher });
    expect(await textOf(send(client, made.clone()))).toBe("its own");
    expect(await textOf(send(client, new Request(made)))).toBe("its own");
    expect(await textOf(send(client, new Request(server.url)))).toBe("undefined");
    expect(client.row("GET /")).toMatchObject({ started: 3, succeeded: 3 });
    expect(getGlobalDispatcher()).toBe(before);
  });
});
