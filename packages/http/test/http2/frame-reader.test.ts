import fc from "fast-check";
import { expect, test } from "vitest";

import { Http2Violation } from "../../src/http2/error-codes.ts";
import { FrameReader, type FrameEvents } from "../../src/http2/frame-reader.ts";
import * as raw from "./raw-frames.ts";

/** Records a reader's frames; the data of each DATA frame is joined. */
class Kept implements FrameEvents {
  readonly frames: string[] = [];
  #data = "";

  onFrame(type: number, flags: number, streamId: number, bytes: Buffer, start: number, end: number): void {
    this.frames.push(`${type} ${flags} ${streamId} ${bytes.toString("hex", start, end)}`);
  }
  onDataFrame(streamId: number, flags: number, length: number): void {
    this.#data = `DATA ${flags} ${streamId} of ${length}: `;
  }
  onData(bytes: Buffer): void {
    this.#data += bytes.toString("hex");
  }
  onDataEnd(): void {
    this.frames.push(this.#data);
  }
}

const padded = fc.record({ data: fc.uint8Array({ maxLength: 300 }), padding: fc.nat(255) });
const anyFrame = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((data) => raw.data(5, data, data.length % 2 === 0)),
  padded.map(({ data, padding }) =>
    raw.frame("DATA", 8, 7, Buffer.concat([Buffer.from([padding]), data, Buffer.alloc(padding)])),
  ),
  fc
    .tuple(fc.integer({ min: 1, max: 255 }), fc.nat(255), fc.uint8Array({ maxLength: 300 }))
    .map(([type, flags, payload]) => raw.frame(type, flags, 3, payload)),
);

test("frames are the same however the bytes are cut", () => {
  fc.assert(
    fc.property(
      fc.array(anyFrame, { minLength: 1, maxLength: 6 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
      (frames, cuts) => {
        const bytes = Buffer.concat(frames);
        const [whole, cut] = [new Kept(), new Kept()];
        new FrameReader(whole).feed(bytes);
        const reader = new FrameReader(cut);
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = cuts[turn % cuts.length] ?? 1;
          // The reader may use the bytes only during the call.
          const lent = Buffer.from(bytes.subarray(at, at + size));
          reader.feed(lent);
          lent.fill(0xee);
          at += size;
        }
        expect(whole.frames).toHaveLength(frames.length);
        expect(cut.frames).toEqual(whole.frames);
      },
    ),
  );
});

test("padding is not data, but counts for flow control", () => {
  const kept = new Kept();
  new FrameReader(kept).feed(raw.frame("DATA", 9, 1, Buffer.from([2, 0x61, 0x62, 0, 0])));
  expect(kept.frames).toEqual(["DATA 9 1 of 5: 6162"]);
});

test.each([
  ["longer than allowed", raw.frame("HEADERS", 4, 1, Buffer.alloc(0), 16_385), "FRAME_SIZE_ERROR"],
  ["with more padding than bytes", raw.frame("DATA", 8, 1, Buffer.from([2, 0])), "PROTOCOL_ERROR"],
  ["padded, without a padding length", raw.frame("DATA", 8, 1), "FRAME_SIZE_ERROR"],
] as const)("a frame %s is refused", (_what, bytes, code) => {
  const refuse = (): void => {
    new FrameReader(new Kept()).feed(bytes);
  };
  expect(refuse).toThrow(Http2Violation);
  expect(refuse).toThrow(expect.objectContaining({ code: raw.errorCodes[code] }));
});

test("nothing is read after a stop, not even the rest of the same bytes", () => {
  const kept = new Kept();
  const reader = new FrameReader(kept);
  kept.onFrame = () => {
    reader.stop();
  };
  reader.feed(Buffer.concat([raw.settings(), raw.data(1, "abc")]));
  expect(kept.frames).toEqual([]);
});
