/** Node's own HPACK (nghttp2) reads what ours writes, and writes what ours reads. */
import { once } from "node:events";
import { createServer } from "node:http2";
import { connect, type AddressInfo, type Socket } from "node:net";

import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";

import { HpackEncoder } from "../../src/hpack/hpack-encoder.ts";
import {
  frame,
  headers,
  preface,
  settings,
  settingsAck,
  splitFrames,
  type ReceivedFrame,
} from "../http2/raw-frames.ts";
import { fieldDecoder } from "./decode.ts";
import { encodeBlock } from "./encode.ts";

const values = fc.oneof(
  fc.constantFrom("a", "text/html; charset=utf-8", "0123456789abcdef"),
  fc.stringMatching(/^[!-~]([ -~]{0,60}[!-~])?$/),
  fc.integer({ min: 1, max: 900 }).map((length) => "v".repeat(length)),
);
/** The fields of a request and of its response; names are few enough to repeat. */
const fieldSets = fc.uniqueArray(
  fc.tuple(fc.constantFrom("x-a", "x-b", "x-c", "accept", "user-agent", "cache-control", "etag"), values),
  { maxLength: 7, selector: ([name]) => name },
);

/** Starts a server that responds with the fields of each request, and allows our encoder this table. */
async function startMirror(allowed: {
  headerTableSize: number;
}): Promise<{ port: number; seen: string[][] }> {
  const seen: string[][] = [];
  const server = createServer({ settings: allowed });
  server.on("stream", (stream, _fields, _flags, rawHeaders) => {
    seen.push(rawHeaders);
    const given = pairsOf(rawHeaders).filter(([name]) => !name.startsWith(":"));
    stream.respond({ ":status": 200, ...Object.fromEntries<string>(given) }, { endStream: true });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, seen };
}

/** Reads frames until a condition holds. */
async function readFrames(socket: Socket, isDone: (frames: readonly ReceivedFrame[]) => boolean) {
  let pending: Buffer = Buffer.alloc(0);
  const all: ReceivedFrame[] = [];
  for await (const bytes of socket as AsyncIterable<Buffer>) {
    const { frames, rest } = splitFrames(Buffer.concat([pending, bytes]));
    pending = rest;
    for (const received of frames) {
      all.push(received);
      if (received.type === "SETTINGS" && received.flags === 0) socket.write(settingsAck());
    }
    if (isDone(all)) break;
  }
  return all;
}

test.each([{ headerTableSize: 4096 }, { headerTableSize: 100 }, { headerTableSize: 0 }])(
  "a hundred requests and their responses arrive intact on one connection: %o",
  async (allowed) => {
    const { port, seen } = await startMirror(allowed);
    const socket = connect(port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    const encoder = new HpackEncoder();
    const decoder = fieldDecoder();
    const sets = fc.sample(fieldSets, { numRuns: 100, seed: 7541 });
    const lists = sets.map((fields, at) => [
      ":method",
      "GET",
      ":scheme",
      "http",
      ":authority",
      "localhost",
      ":path",
      `/${at}`,
      ...fields.flat(),
    ]);
    const blockOf = (fields: readonly string[]): Buffer => encodeBlock(encoder, fields);
    socket.write(Buffer.concat([preface, settings()]));
    // The first request assumes the default table size, the others know the server's.
    socket.write(headers(1, blockOf(lists[0]!), { endStream: true }));
    encoder.allowTable(allowed.headerTableSize);
    const others = lists
      .slice(1)
      .map((fields, at) => headers(3 + 2 * at, blockOf(fields), { endStream: true }));
    socket.write(Buffer.concat([frame("PING", 0, 0, Buffer.alloc(8)), ...others]));
    const isAnswer = ({ type }: ReceivedFrame): boolean => type === "HEADERS" || type === "GOAWAY";
    const frames = await readFrames(socket, (all) => all.filter(isAnswer).length >= lists.length);
    const answers = frames.filter(isAnswer).map(({ streamId, payload }) => ({
      streamId,
      // Node adds the date.
      fields: new Map(
        pairsOf(decoder.decode(payload, 0, payload.length) ?? []).filter(([name]) => name !== "date"),
      ),
    }));
    expect(seen).toEqual(lists);
    expect(answers).toEqual(
      sets.map((fields, at) => ({ streamId: 1 + 2 * at, fields: new Map([[":status", "200"], ...fields]) })),
    );
  },
);

function pairsOf(list: readonly string[]): [string, string][] {
  return list.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, list[at + 1]!]] : []));
}
