import fc from "fast-check";

/** A valid response, and how its bytes are changed on their way. */
export interface Mangling {
  readonly framing: "length" | "chunked" | "close";
  readonly bodyBytes: number;
  readonly interims: number;
  /** Bits to flip, each in one byte of the message (`at` modulo its length). */
  readonly flips: readonly { readonly at: number; readonly mask: number }[];
  /** What is sent immediately after the response. */
  readonly surplus: "none" | "bytes" | "response";
  /** The number of bytes to send (modulo the length of the message); null: all. */
  readonly cutAt: number | null;
  /** Positions at which the message is split into pieces; `"everywhere"`: each byte by itself. */
  readonly splits: readonly number[] | "everywhere";
  readonly ending: "keep" | "end" | "reset";
}

export const manglings: fc.Arbitrary<Mangling> = fc.record({
  framing: fc.constantFrom("length", "chunked", "close"),
  bodyBytes: fc.oneof(fc.nat(30), fc.nat(3000)),
  interims: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(25) }),
  flips: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    {
      weight: 1,
      arbitrary: fc.array(fc.record({ at: fc.nat(4000), mask: fc.integer({ min: 1, max: 255 }) }), {
        maxLength: 3,
      }),
    },
  ),
  surplus: fc.constantFrom("none", "none", "none", "bytes", "response"),
  cutAt: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(4000) }),
  splits: fc.oneof(
    { weight: 4, arbitrary: fc.array(fc.nat(4000), { maxLength: 6 }) },
    { weight: 1, arbitrary: fc.constant("everywhere" as const) },
  ),
  ending: fc.constantFrom("keep", "keep", "end", "reset"),
});

/** Returns the body of the response to a request: the token of the request, then padding. */
export function bodyFor(token: string, { bodyBytes }: Mangling): string {
  return token + ".".repeat(bodyBytes);
}

/** Returns the pieces that the server sends for a request. `foreign` is the token of a surplus response. */
export function mangle(token: string, foreign: string, mangling: Mangling): readonly Buffer[] {
  const { framing, interims, surplus, flips, cutAt, splits } = mangling;
  const head = `HTTP/1.1 200 OK\r\nx-token: ${token}\r\n`;
  const body = bodyFor(token, mangling);
  const half = Math.floor(body.length / 2);
  const framed = {
    length: `${head}content-length: ${body.length}\r\n\r\n${body}`,
    chunked: `${head}transfer-encoding: chunked\r\n\r\n${[body.slice(0, half), body.slice(half), ""]
      .filter((piece, index) => piece !== "" || index === 2)
      .map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`)
      .join("")}`,
    close: `${head}connection: close\r\n\r\n${body}`,
  }[framing];
  const behind = {
    none: "",
    bytes: "more than was asked for",
    response: `HTTP/1.1 200 OK\r\nx-token: ${foreign}\r\ncontent-length: ${foreign.length}\r\n\r\n${foreign}`,
  }[surplus];
  const bytes = Buffer.from(
    "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".repeat(interims) + framed + behind,
    "latin1",
  );
  for (const { at, mask } of flips) {
    const index = at % bytes.length;
    bytes.writeUInt8(bytes.readUInt8(index) ^ mask, index);
  }
  const sent = cutAt === null ? bytes : bytes.subarray(0, cutAt % bytes.length);
  return inPieces(sent, splits);
}

/** Sending more bytes one by one would take too long. */
const mostSingleBytes = 300;

function inPieces(bytes: Buffer, splits: Mangling["splits"]): Buffer[] {
  const positions =
    splits === "everywhere"
      ? Array.from({ length: Math.min(bytes.length, mostSingleBytes) }, (_, index) => index)
      : splits.map((at) => at % Math.max(1, bytes.length));
  const sorted = [...new Set([0, ...positions, bytes.length])].sort((a, b) => a - b);
  return sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end));
}

/** True if the response is sent whole and unchanged, so that the client must accept it. */
export function isUntouched({ flips, cutAt, interims, framing, ending }: Mangling): boolean {
  return flips.length === 0 && cutAt === null && interims <= 20 && (framing !== "close" || ending === "end");
}
