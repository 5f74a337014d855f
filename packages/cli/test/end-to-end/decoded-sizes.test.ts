import { expect, test } from "vitest";

import { runForResult } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

test("the decoded size of a variant's responses is learned in a changeover, too", async () => {
  const { url } = await startServer((_request, response) => response.end("hello"));
  // One response per 250 ms is decoded: in a turn of 200 ms the first one, which falls into the changeover.
  const load = ["-c", "2", "-d", "400ms", "--turn", "200ms", "--workers", "1"];
  const variants = ["--variant", "a=x-a: 1", "--variant", "b=x-a: 2"];
  const { result } = await runForResult([url, ...load, ...variants]);
  const sizes = result.variants?.variants.map(({ figures: { decodedBytes, wireBytes } }) => [
    decodedBytes.value,
    wireBytes.value,
  ]);
  expect(sizes).toEqual(Array(2).fill(["hello".length, "hello".length]));
});
