import type { Capture } from "@bearhug/har-import";
import { type Mock, startMock } from "../../src/mock/start-mock.ts";

/** Runs a test against a mock of a capture, and closes it whatever happens. */
export async function withMock(capture: Capture, test: (mock: Mock) => Promise<void>): Promise<void> {
  const mock = await startMock(capture);
  try {
    await test(mock);
  } finally {
    await mock.close();
  }
}

/** An answer as it came: redirects are not followed. */
export async function ask(mock: Mock, path: string, init: RequestInit = {}): Promise<Response> {
  return await fetch(mock.url + path, { redirect: "manual", ...init });
}
