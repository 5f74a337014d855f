import type { MultipartFields, MultipartValue } from "@bearhug/sdk";

import type { RandomSource } from "../../pacing/random-source.ts";
import { createPart, type Part } from "./multipart-part.ts";
import { pairsOf } from "./pairs.ts";
import type { StreamedBody } from "../transport/wire-body.ts";

export interface MultipartBody {
  /** In memory, unless a part is a file or a stream. */
  readonly body: Uint8Array | StreamedBody;
  readonly contentType: string;
}

/**
 * A body as a form with files is sent (RFC 7578, written as browsers write it). Paths are relative to `folder`.
 * @throws {RequestFault} for what cannot be a part, and for a file that cannot be read.
 */
export function encodeMultipart(
  fields: MultipartFields,
  random: RandomSource,
  folder: string = process.cwd(),
): MultipartBody {
  const boundary = chooseBoundary(random);
  const parts = [...pairsOf<MultipartValue | readonly MultipartValue[]>(fields)].flatMap(([name, value]) =>
    valuesOf(value).flatMap((one) => (one === undefined ? [] : [createPart(name, one, folder)])),
  );
  const pieces = frame(parts, boundary);
  const [only] = pieces;
  const isInMemory = pieces.length === 1 && only instanceof Uint8Array;
  return {
    body: isInMemory ? only : joinPieces(pieces),
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}

/** 128 random bits: no content has it in it by chance. */
function chooseBoundary(random: RandomSource): string {
  const word = (): string =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, "0");
  return `----bearhug${word()}${word()}${word()}${word()}`;
}

function valuesOf(value: MultipartValue | readonly MultipartValue[]): readonly MultipartValue[] {
  return Array.isArray(value) ? (value as readonly MultipartValue[]) : [value as MultipartValue];
}

/** The pieces to write, in order. All that is in memory between two streams is one piece. */
function frame(parts: readonly Part[], boundary: string): (Uint8Array | StreamedBody)[] {
  const pieces: (Uint8Array | StreamedBody)[] = [];
  let inMemory: Uint8Array[] = [];
  for (const { head, content } of parts) {
    inMemory.push(Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`));
    if (content instanceof Uint8Array) inMemory.push(content);
    else {
      pieces.push(Buffer.concat(inMemory), content);
      inMemory = [];
    }
    inMemory.push(lineEnd);
  }
  inMemory.push(Buffer.from(`--${boundary}--\r\n`));
  pieces.push(Buffer.concat(inMemory));
  return pieces;
}

const lineEnd = Buffer.from("\r\n");

function joinPieces(pieces: readonly (Uint8Array | StreamedBody)[]): StreamedBody {
  return {
    length: pieces.reduce<number | null>(
      (sum, { length }) => (sum === null || length === null ? null : sum + length),
      0,
    ),
    isRepeatable: pieces.every((piece) => piece instanceof Uint8Array || piece.isRepeatable),
    open: () => readPieces(pieces),
    abandon: () => {
      for (const piece of pieces) if (!(piece instanceof Uint8Array)) piece.abandon?.();
    },
  };
}

async function* readPieces(pieces: readonly (Uint8Array | StreamedBody)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    if (piece instanceof Uint8Array) yield piece;
    else yield* piece.open();
  }
}
