import fc from "fast-check";
import { expect, test } from "vitest";

import { KnownHead } from "../../src/http1/response-head.ts";
import { TransportFailure } from "../../src/failures/transport-failure.ts";
import { everywhere, readResponse } from "./read-response.ts";
import { shown } from "../../../cli/test/shown.ts";

/** Generates text from the given characters. */
const textFrom = (characters: string, maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.nat(characters.length - 1).map((at) => characters.charAt(at)), maxLength });

const bytesOfAnyKind = fc
  .uint8Array({ maxLength: 200 })
  .map((bytes) => Buffer.from(bytes).toString("latin1"));
const visible = "azAZ09 \t:;,=\"'()<>\\/\xa0\xe9\xff";
const headers = fc.array(
  fc.tuple(
    textFrom("abXY-_0.", 8).map((name) => `x${name}`),
    textFrom(visible, 20),
  ),
  { maxLength: 6 },
);
const headText = (lines: readonly (readonly [string, string])[]): string =>
  lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");

interface Sent {
  readonly text: string;
  readonly body: string;
  readonly headers: readonly string[];
}

const framed: fc.Arbitrary<Sent> = fc
  .record({
    isChunked: fc.boolean(),
    lines: headers,
    pieces: fc.array(bytesOfAnyKind, { maxLength: 5 }),
    zeros: fc.nat(3),
    isUpper: fc.boolean(),
    interims: fc.nat(3),
    trailers: headers,
  })
  .map(({ isChunked, lines, pieces, zeros, isUpper, interims, trailers }) => {
    const body = pieces.join("");
    const framing: readonly [string, string] = isChunked
      ? ["transfer-encoding", "chunked"]
      : ["Content-Length", String(body.length)];
    const size = (piece: string): string => {
      const digits = "0".repeat(zeros) + piece.length.toString(16);
      return isUpper ? digits.toUpperCase() : digits;
    };
    const chunks = pieces
      .filter((piece) => piece !== "")
      .map((piece) => `${size(piece)};x=y\r\n${piece}\r\n`);
    const all = [...lines, framing];
    return {
      text:
        "HTTP/1.1 103 -\r\nlink: a\r\n\r\n".repeat(interims) +
        `HTTP/1.1 200 OK\r\n${headText(all)}\r\n` +
        (isChunked ? `${chunks.join("")}0\r\n${headText(trailers)}\r\n` : body),
      body,
      headers: all.flatMap(([name, value]) => [name, value.replace(/^[ \t]+|[ \t]+$/g, "")]),
    };
  });

const cuts = fc.oneof(fc.array(fc.nat(2000), { maxLength: 10 }), fc.constant("everywhere" as const));

function cutsOf(text: string, where: readonly number[] | "everywhere"): readonly number[] {
  return where === "everywhere" ? everywhere(text) : where.filter((cut) => cut < text.length);
}

test("a response that is cut into pieces is the same response, and takes exactly its bytes", () => {
  fc.assert(
    fc.property(framed, cuts, bytesOfAnyKind, (sent, where, surplus) => {
      const text = sent.text + surplus;
      const read = readResponse(text, { cuts: cutsOf(text, where) });
      expect(read).toEqual({
        status: 200,
        headers: sent.headers,
        body: sent.body,
        isComplete: true,
        taken: sent.text.length,
      });
    }),
    { numRuns: 500 },
  );
});

test("a body that lasts until the end of the connection has every byte that came", () => {
  fc.assert(
    fc.property(headers, bytesOfAnyKind, cuts, (lines, body, where) => {
      const text = `HTTP/1.0 200 OK\r\n${headText(lines)}\r\n${body}`;
      const read = readResponse(text, { cuts: cutsOf(text, where), ends: true });
      expect(read).toMatchObject({ body, isComplete: true, taken: text.length });
    }),
  );
});

test("the first of two consecutive responses takes only its own bytes", () => {
  fc.assert(
    fc.property(framed, framed, cuts, (first, second, where) => {
      const text = first.text + second.text;
      const read = readResponse(text, { cuts: cutsOf(text, where) });
      expect(read).toMatchObject({ body: first.body, taken: first.text.length });
      expect(readResponse(text.slice(read.taken))).toMatchObject({
        body: second.body,
        headers: second.headers,
        taken: second.text.length,
      });
    }),
  );
});

test("responses with a known head, or a similar one, are read like new ones", () => {
  fc.assert(
    fc.property(fc.array(framed, { minLength: 1, maxLength: 3 }), cuts, (different, where) => {
      const known = new KnownHead();
      // Each response comes twice at first, so that its head is known the second time.
      for (const { text } of different.flatMap((sent) => [sent, sent, ...different])) {
        const fresh = readResponse(text);
        expect(readResponse(text, { known })).toEqual(fresh);
        expect(readResponse(text, { known, cuts: cutsOf(text, where) })).toEqual(fresh);
      }
    }),
  );
});

const beginnings = fc.constantFrom(
  "",
  "HTTP/1.1 200 OK\r\n",
  "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n",
  "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\n",
  "HTTP/1.1 200 OK\r\ncontent-length: ",
  "HTTP/1.1 100 -\r\n\r\n",
);
const pieceOfHttp = fc.oneof(
  bytesOfAnyKind,
  textFrom("\r\n:; 0aF\t", 12),
  fc.constantFrom(
    "\r\n\r\n",
    "content-length: 3\r\n",
    "transfer-encoding: chunked\r\n",
    "HTTP/1.1 200 OK\r\n",
  ),
);

test("all bytes are read, left over or refused with a reason, regardless of how they are cut", () => {
  const outcomeOf = (text: string, where: readonly number[] | "everywhere", ends: boolean) => {
    try {
      const read = readResponse(text, { cuts: cutsOf(text, where), ends });
      expect(read.taken).toBeLessThanOrEqual(text.length);
      // Only bytes after a complete response may be left over.
      if (!read.isComplete) expect(read.taken).toBe(text.length);
      return read;
    } catch (error) {
      if (!(error instanceof TransportFailure)) throw error;
      expect(shown(error.info.reason)).toMatch(/^[ -~…]+$/);
      return null;
    }
  };
  fc.assert(
    fc.property(beginnings, fc.array(pieceOfHttp, { maxLength: 6 }), fc.boolean(), (begin, rest, ends) => {
      const text = begin + rest.join("");
      expect(outcomeOf(text, "everywhere", ends)).toEqual(outcomeOf(text, [], ends));
    }),
    { numRuns: 3000 },
  );
});
