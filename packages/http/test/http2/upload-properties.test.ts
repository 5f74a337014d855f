import { once } from "node:events";
import { createServer, type Settings } from "node:http2";
import type { AddressInfo } from "node:net";

import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";

import type { RequestBody } from "../../src/transport/wire-body.ts";
import { openHttp2 } from "./open-http2.ts";

const settings: fc.Arbitrary<Settings> = fc.record({
  initialWindowSize: fc.constantFrom(1000, 16_384, 65_535, 1_000_000),
  maxFrameSize: fc.constantFrom(16_384, 20_000, 1_000_000),
  headerTableSize: fc.constantFrom(0, 4096),
});

/** The pieces of a body, one after another, and how they are handed over. */
interface Upload {
  readonly pieces: readonly Uint8Array[];
  readonly as: "bytes" | "stream of known length" | "stream of unknown length";
}

const uploads: fc.Arbitrary<Upload> = fc.record({
  pieces: fc.array(
    fc
      .tuple(fc.nat(255), fc.constantFrom(1, 100, 16_384, 70_000))
      .map(([byte, length]) => new Uint8Array(length).fill(byte)),
    { maxLength: 4 },
  ),
  as: fc.constantFrom("bytes", "stream of known length", "stream of unknown length"),
});

function bodyOf({ pieces, as }: Upload): RequestBody {
  const whole = Buffer.concat(pieces);
  if (as === "bytes") return whole;
  const length = as === "stream of known length" ? whole.length : null;
  return {
    length,
    isRepeatable: true,
    open: async function* open() {
      yield* pieces;
    },
  };
}

/** Starts a server that responds with the body of the request. */
async function startEcho(given: Settings): Promise<number> {
  const server = createServer({ settings: given });
  server.on("stream", (stream) => {
    stream.respond({ ":status": 200 });
    stream.pipe(stream);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test("parallel bodies arrive whole, whatever windows and frames the server allows", async () => {
  const property = fc.asyncProperty(
    settings,
    fc.array(uploads, { minLength: 1, maxLength: 5 }),
    async (given, all) => {
      const { send, transport } = await openHttp2(await startEcho(given));
      const sent = all.map((upload) => send({ method: "POST", body: bodyOf(upload) }));
      await Promise.all(sent.map(({ over }) => over));
      sent.forEach(({ error, body }, at) => {
        expect(error).toBeNull();
        expect(Buffer.from(body, "latin1").equals(Buffer.concat(all[at]!.pieces))).toBe(true);
      });
      expect(transport.isIdle).toBe(true);
    },
  );
  await fc.assert(property, { numRuns: 25 });
});
