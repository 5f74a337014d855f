import { describe, expect, test } from "vitest";
import { Dispatcher, getGlobalDispatcher, Request } from "undici";

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

const senders: Readonly<
  Record<string, (client: TestClient, request: Request) => Promise<{ text(): Promise<string> }>>
> = {
  "http.fetch": async ({ http }, request) => http.fetch(request),
  "the global fetch": async ({ session }, request) => {
    const undo = replaceFetch({
      current: () => session,
      isExempt: () => false,
      mayBypassEngine: false,
      onUnlistedHost: () => {},
      onReplacedFetch: () => () => {},
    });
    const answer = fetch(request);
    undo();
    return answer;
  },
};

describe.each(Object.entries(senders))("%s", (_name, send) => {
  test("sends a Request through the dispatcher that it was created with, or through the VU's without one", async () => {
    const server = await startServer((request, response) => {
      response.end(String(request.headers["x-through"]));
    });
    const client = startClient(server.url);
    const before = getGlobalDispatcher();
    const dispatcher = markingDispatcher(client);
    const made = new Request(server.url, { dispatcher });
    expect(await (await send(client, made.clone())).text()).toBe("its own");
    expect(await (await send(client, new Request(made))).text()).toBe("its own");
    expect(await (await send(client, new Request(server.url))).text()).toBe("undefined");
    expect(client.row("GET /")).toMatchObject({ started: 3, succeeded: 3 });
    expect(getGlobalDispatcher()).toBe(before);
  });
});
