import * as raw from "./raw-frames.ts";
import type { Step } from "./raw-http2-server.ts";

/** The frames after requests on the streams 1 and 3; then the server responds to the latter with "second". */
export interface ServerFrames {
  readonly name: string;
  readonly greeting?: readonly Step[];
  readonly method?: string;
  readonly frames: readonly Step[];
}

/** The fields of a good head. */
export const ok: raw.Fields = [[":status", "200"]];
/** A complete response on stream 1. */
export const hello: Buffer = raw.response(1, 200, "hello");
/** Builds a head on stream 1. */
export const head = (fields: raw.Fields, endStream = true): Buffer => raw.headers(1, fields, { endStream });
/** Builds a head on stream 1 from the bytes of its field block. */
export const block = (hex: string): Buffer => raw.headers(1, Buffer.from(hex, "hex"), { endStream: true });
const word = (value: number): Buffer => Buffer.from([value >>> 24, value >>> 16, value >>> 8, value]);
/** Builds SETTINGS with one value, whatever its number. */
export const setting = (id: number, value: number): Buffer =>
  raw.frame("SETTINGS", 0, 0, Buffer.concat([Buffer.from([0, id]), word(value)]));
