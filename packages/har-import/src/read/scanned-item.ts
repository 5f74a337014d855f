import type { Finding } from "../capture.ts";

/** A part of a capture, in file order. What could not be read is a finding in its place. */
export type ScannedItem =
  /** A complete element of `log.entries`: any JSON. `index` counts those that are findings, too. */
  | { readonly kind: "entry"; readonly index: number; readonly json: unknown }
  /** A complete element of `log.pages`. In some files they come after the entries. */
  | { readonly kind: "page"; readonly index: number; readonly json: unknown }
  /** Any other member of `log`: `version`, `creator`, `browser`, `comment`, and what a recorder adds. */
  | { readonly kind: "member"; readonly name: string; readonly json: unknown }
  | { readonly kind: "finding"; readonly finding: Finding };

/** The bytes of a file, in pieces of any size. A piece need be good only until the next is asked for. */
export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
