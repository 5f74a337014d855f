import { HpackEncoder } from "../../../src/hpack/hpack-encoder.ts";
import { encodeBlock } from "../../hpack/encode.ts";
import * as raw from "../raw-frames.ts";
import type { Random } from "./random.ts";

/** Writes the frames of a correct server: several responses, interleaved at random. */
export class ServerSession {
  readonly #random: Random;
  readonly #encoder: HpackEncoder = new HpackEncoder();

  constructor(random: Random) {
    this.#random = random;
  }

  greeting(): Buffer[] {
    const random = this.#random;
    const settings = raw.settings({
      ...(random.chance(0.3) ? { initialWindowSize: random.pick([0, 1, 100, 65_535, 1_000_000]) } : {}),
      ...(random.chance(0.3) ? { headerTableSize: random.pick([0, 64, 4096, 65_536]) } : {}),
      ...(random.chance(0.2) ? { maxFrameSize: random.pick([16_384, 65_536]) } : {}),
      ...(random.chance(0.2) ? { maxConcurrentStreams: random.pick([1, 3, 100]) } : {}),
    });
    return [settings, raw.settingsAck()];
  }

  /** Returns the frames of responses to these requests; their bodies contain the token. */
  responses(requests: readonly { readonly streamId: number; readonly token: string }[]): Buffer[] {
    // Field blocks change the table in the order in which they are encoded, so each is encoded at its turn.
    const parts = requests.map(({ streamId, token }) => this.#response(streamId, token));
    const frames: Buffer[] = [];
    while (parts.length > 0) {
      const position = this.#random.below(parts.length);
      const next = parts[position]?.next();
      if (next === undefined || next.done === true) parts.splice(position, 1);
      else frames.push(...next.value);
      if (this.#random.chance(0.1)) frames.push(this.#aside());
    }
    return frames;
  }

  *#response(streamId: number, token: string): Generator<Buffer[]> {
    const random = this.#random;
    while (random.chance(0.1)) {
      yield this.#head(streamId, [":status", "103", "link", "</a.css>"], false);
    }
    const pieces = Array.from({ length: random.below(4) }, () => token.repeat(1 + random.below(3)));
    const hasTrailers = random.chance(0.1);
    const fields = [":status", "200", "server", "fuzz", "content-type", "text/plain"];
    // Without this field, the field block repeats.
    if (random.chance(0.5)) fields.push("x-token", token);
    if (random.chance(0.5)) fields.push("content-length", String(pieces.join("").length));
    const isHeadAll = pieces.length === 0 && !hasTrailers;
    yield this.#head(streamId, fields, isHeadAll);
    for (const [at, piece] of pieces.entries()) {
      yield [this.#data(streamId, piece, at === pieces.length - 1 && !hasTrailers)];
    }
    if (hasTrailers) yield this.#head(streamId, ["x-checksum", token], true);
  }

  /** Encodes fields in one frame or two, sometimes padded and with a priority. */
  #head(streamId: number, fields: readonly string[], isLast: boolean): Buffer[] {
    const random = this.#random;
    const block = encodeBlock(this.#encoder, fields);
    if (random.chance(0.1)) {
      const cut = random.below(block.length);
      return [
        raw.headers(streamId, block.subarray(0, cut), { endStream: isLast, endHeaders: false }),
        raw.continuation(streamId, block.subarray(cut)),
      ];
    }
    if (random.chance(0.1)) {
      const padding = random.below(20);
      const payload = Buffer.concat([Buffer.from([padding]), Buffer.alloc(5), block, Buffer.alloc(padding)]);
      return [raw.frame("HEADERS", 4 | 8 | 32 | (isLast ? 1 : 0), streamId, payload)];
    }
    return [raw.headers(streamId, block, { endStream: isLast })];
  }

  #data(streamId: number, piece: string, isLast: boolean): Buffer {
    const random = this.#random;
    if (!random.chance(0.2)) return raw.data(streamId, piece, isLast);
    const padding = random.below(256);
    const payload = Buffer.concat([Buffer.from([padding]), Buffer.from(piece), Buffer.alloc(padding)]);
    return raw.frame("DATA", 8 | (isLast ? 1 : 0), streamId, payload);
  }

  /** Makes a frame that a server may send at any time. */
  #aside(): Buffer {
    const random = this.#random;
    switch (random.below(4)) {
      case 0:
        return raw.ping(random.bytes(8));
      case 1:
        return raw.windowUpdate(0, 1 + random.below(100_000));
      case 2:
        return raw.settings({ initialWindowSize: random.below(100_000) });
      default:
        return raw.frame(
          10 + random.below(200),
          random.below(256),
          random.below(10),
          random.bytes(random.below(20)),
        );
    }
  }
}
