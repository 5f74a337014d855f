import type { Capture } from "@bearhug/har-import";
import { type Mock, type MockOptions, startMock } from "../../src/mock/start-mock.ts";

/** Runs a test against a mock of a capture, and closes the mock even if the test fails. */
export async function withMock(
  capture: Capture,
  test: (mock: Mock) => Promise<void>,
  options: Partial<MockOptions> = {},
): Promise<void> {
  const mock = await startMock(capture, options);
  try {
    await test(mock);
  } finally {
    await mock.close();
  }
}

/** Requests a path of the mock, without following redirects. */
export async function fetchFrom(mock: Mock, path: string, init: RequestInit = {}): Promise<Response> {
  return await fetch(mock.url + path, { redirect: "manual", ...init });
}

/** A client that keeps the mock's visitor cookie. */
export class Visitor {
  readonly #mock: Mock;
  #cookie: string | null = null;

  constructor(mock: Mock) {
    this.#mock = mock;
  }

  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.#cookie !== null) headers.set("cookie", `theme=dark; ${this.#cookie}`);
    const response = await fetchFrom(this.#mock, path, { ...init, headers });
    const [given] = response.headers.getSetCookie().filter((cookie) => cookie.startsWith("bearhug_mock="));
    if (given !== undefined) this.#cookie = given.split(";")[0] ?? null;
    return response;
  }

  async texts(path: string, times: number, init: RequestInit = {}): Promise<string[]> {
    const texts: string[] = [];
    for (let round = 0; round < times; round++) texts.push(await (await this.fetch(path, init)).text());
    return texts;
  }
}
