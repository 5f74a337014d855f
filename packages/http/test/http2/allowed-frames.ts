import * as raw from "./raw-frames.ts";
import { block, head, hello, ok, setting, type ServerFrames } from "./server-frames.ts";

/** RFC 9113 allows these. */
export const allowedFrames: readonly ServerFrames[] = [
  { name: "a response with a body", frames: [hello] },
  { name: "a response without a body", frames: [head([[":status", "204"]])] },
  { name: "an empty DATA frame as the end", frames: [head(ok, false), raw.data(1, "", true)] },
  {
    name: "a body of many frames",
    frames: [
      head(ok, false),
      ...["h", "e", "l", "l", "o"].map((byte) => raw.data(1, byte)),
      raw.data(1, "", true),
    ],
  },
  { name: "padded DATA", frames: [head(ok, false), raw.frame("DATA", 9, 1, Buffer.from("\x03hello\0\0\0"))] },
  {
    name: "DATA of padding alone",
    frames: [head(ok, false), raw.frame("DATA", 8, 1, Buffer.from([2, 0, 0])), raw.data(1, "x", true)],
  },
  {
    name: "padded HEADERS with a priority",
    frames: [
      raw.frame(
        "HEADERS",
        4 | 1 | 8 | 32,
        1,
        Buffer.concat([Buffer.from([2, 0, 0, 0, 0, 16]), raw.headerBlock(ok), Buffer.alloc(2)]),
      ),
    ],
  },
  {
    name: "a head in three frames, one of them empty",
    frames: [
      raw.headers(1, Buffer.alloc(0), { endHeaders: false, endStream: true }),
      raw.continuation(1, raw.headerBlock(ok).subarray(0, 3), false),
      raw.continuation(1, raw.headerBlock(ok).subarray(3)),
    ],
  },
  {
    name: "interim responses",
    frames: [
      head(
        [
          [":status", "103"],
          ["link", "</a>"],
        ],
        false,
      ),
      head([[":status", "100"]], false),
      hello,
    ],
  },
  { name: "trailers", frames: [head(ok, false), raw.data(1, "hello"), head([["x-checksum", "1"]])] },
  { name: "a frame of an unknown type", frames: [raw.frame(0x77, 255, 5, Buffer.from("?")), hello] },
  { name: "an unknown setting", frames: [setting(0x99, 1), hello] },
  {
    name: "unknown flags",
    frames: [
      raw.frame("HEADERS", 4 | 0xc2, 1, raw.headerBlock(ok)),
      raw.frame("DATA", 1 | 0xf0, 1, Buffer.from("hello")),
    ],
  },
  { name: "a PRIORITY", frames: [raw.frame("PRIORITY", 0, 1, Buffer.from([0, 0, 0, 0, 16])), hello] },
  {
    name: "a PRIORITY for a stream that is not open",
    frames: [raw.frame("PRIORITY", 0, 99, Buffer.from([0, 0, 0, 1, 16])), hello],
  },
  { name: "a PING", frames: [raw.ping(Buffer.from("12345678")), hello] },
  {
    name: "WINDOW_UPDATEs",
    frames: [raw.windowUpdate(0, 5), raw.windowUpdate(1, 5), hello, raw.windowUpdate(1, 5)],
  },
  {
    name: "a reserved bit in the stream's number",
    frames: [raw.frame("HEADERS", 5, 0x8000_0001, raw.headerBlock(ok))],
  },
  { name: "SETTINGS without a value", frames: [raw.settings(), hello] },
  { name: "ENABLE_PUSH 0", frames: [setting(2, 0), hello] },
  {
    name: "a response to HEAD with a length",
    method: "HEAD",
    frames: [head([...ok, ["content-length", "5"]])],
  },
  {
    name: "status 304 with a length",
    frames: [
      head([
        [":status", "304"],
        ["content-length", "5"],
      ]),
    ],
  },
  { name: "RST_STREAM NO_ERROR behind a whole response", frames: [hello, raw.rstStream(1, "NO_ERROR")] },
  { name: "bytes above ASCII in a value", frames: [head([...ok, ["x-name", "\xe9\xff"]])] },
  { name: "an empty value", frames: [head([...ok, ["x-empty", ""]])] },
  {
    name: "cookies in several fields",
    frames: [head([...ok, ["set-cookie", "a=1"], ["set-cookie", "b=2"]])],
  },
  {
    name: "fields that enter the table, and an index for them",
    frames: [block("8840016101624001630164bfbe")],
  },
  { name: "a table size of 0, then of 4096", frames: [block("203fe11f88")] },
];

/** A server may end a stream or the connection in these ways. */
export const endingFrames: readonly ServerFrames[] = [
  ...(
    [
      "NO_ERROR",
      "INTERNAL_ERROR",
      "REFUSED_STREAM",
      "CANCEL",
      "ENHANCE_YOUR_CALM",
      "HTTP_1_1_REQUIRED",
      0xabcd,
    ] as const
  ).flatMap((code) => [
    { name: `RST_STREAM ${code}`, frames: [raw.rstStream(1, code)] },
    {
      name: `RST_STREAM ${code} in a body`,
      frames: [head(ok, false), raw.data(1, "hel"), raw.rstStream(1, code)],
    },
  ]),
  {
    name: "RST_STREAM NO_ERROR where all of the length came",
    frames: [
      head([...ok, ["content-length", "5"]], false),
      raw.data(1, "hello"),
      raw.rstStream(1, "NO_ERROR"),
    ],
  },
  ...(["NO_ERROR", "PROTOCOL_ERROR", "ENHANCE_YOUR_CALM"] as const).flatMap((code) =>
    [0, 1, 3, 2 ** 31 - 1].map((last) => ({
      name: `GOAWAY ${code}, last stream ${last}`,
      frames: [raw.goaway(last, code), ...(last > 0 ? [hello] : [])],
    })),
  ),
  { name: "GOAWAY twice", frames: [raw.goaway(2 ** 31 - 1, "NO_ERROR"), raw.goaway(1, "NO_ERROR"), hello] },
  { name: "the end", frames: ["end"] },
  { name: "the end in a body", frames: [head(ok, false), raw.data(1, "hel"), "end"] },
  { name: "the end in a frame", frames: [head(ok, false), raw.data(1, "hello").subarray(0, 12), "end"] },
];
