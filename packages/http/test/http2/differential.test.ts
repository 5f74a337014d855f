/** bearhug's HTTP/2 and node:http2 (nghttp2) read a server's frames alike; differences are intended. */
import fc from "fast-check";
import { expect, test } from "vitest";

import { TransportFailure } from "../../src/failures/transport-failure.ts";
import { allowedFrames, endingFrames } from "./allowed-frames.ts";
import { forbiddenFrames } from "./forbidden-frames.ts";
import { Random } from "./fuzz/random.ts";
import { ServerSession } from "./fuzz/server-session.ts";
import { openHttp2, type Recording, type Speaker } from "./open-http2.ts";
import { response } from "./raw-frames.ts";
import { startRawHttp2Server } from "./raw-http2-server.ts";
import type { ServerFrames } from "./server-frames.ts";

function outcomeOf({ head, body, error }: Recording): string {
  if (error === null) return `${head?.status} ${JSON.stringify(head?.rawHeaders())} ${body}`;
  if (!(error instanceof TransportFailure)) return `an unknown error: ${error.message}`;
  const { kind, cause, isUnprocessed } = error.info;
  // node:http2 rarely reports which protocol error it was.
  const name = kind === "protocolError" || cause === undefined ? kind : `${kind} ${cause}`;
  return isUnprocessed === true ? `${name}, safe to retry` : name;
}

/** Returns the outcomes of a case's two requests. */
async function outcomesOf(
  { greeting, frames, method = "GET" }: ServerFrames,
  speaks: Speaker,
): Promise<string[]> {
  const server = await startRawHttp2Server({
    ...(greeting === undefined ? {} : { greeting }),
    answer: (id) => (id === 1 ? [] : [...frames, response(3, 200, "second")]),
  });
  const { send } = await openHttp2(server.port, { speaks });
  const both = [send({ method }), send()];
  await Promise.all(both.map(({ over }) => over));
  return both.map(outcomeOf);
}

async function table(cases: readonly ServerFrames[], speaks: Speaker): Promise<Record<string, string[]>> {
  const rows = cases.map(async (given) => [given.name, await outcomesOf(given, speaks)] as const);
  return Object.fromEntries(await Promise.all(rows));
}

const refused = ["protocolError", "200 [] second"];
const allRefused = ["protocolError", "protocolError"];

/** Outcomes where RFC 9113 requires more than node:http2 does, or less. */
const stricterThanNode: Readonly<Record<string, readonly string[]>> = {
  // Section 6.3.
  "PRIORITY on stream 0": allRefused,
  // Section 5.1: a connection error of type STREAM_CLOSED.
  "DATA behind the end of a stream": ["200 [] hello", "protocolError"],
  "HEADERS behind the end of a stream": ["200 [] hello", "protocolError"],
  // Section 8.2.1: a malformed response, where node:http2 leaves the field out.
  "an empty name": refused,
  "a name with a space": refused,
  "a value with a line feed": refused,
  "a value with NUL": refused,
  "a value with a space around it": refused,
  // Sections 6.9 and 8.1.1: errors of the stream, where node:http2 ends the connection.
  "WINDOW_UPDATE of 0 for a stream": refused,
  "WINDOW_UPDATE beyond the largest window, for a stream": refused,
  "a body longer than its length": refused,
  "a body for HEAD": refused,
  "a body with status 204": refused,
  "DATA before a head": refused,
};

test.each([
  { what: "allowed frames", cases: allowedFrames },
  { what: "endings", cases: endingFrames },
])("$what have the same outcome as with node:http2", async ({ cases }) => {
  expect(await table(cases, "bearhug")).toEqual(await table(cases, "node:http2"));
});

test("forbidden frames fail as with node:http2, or as RFC 9113 requires", async () => {
  const nodes = await table(forbiddenFrames, "node:http2");
  expect(await table(forbiddenFrames, "bearhug")).toEqual({ ...nodes, ...stricterThanNode });
});

test("allowed frames are understood", async () => {
  const own = await table(allowedFrames, "bearhug");
  const notUnderstood = Object.entries(own).filter(
    ([, [first = "", second]]) => !/^[23]\d\d /.test(first) || second !== "200 [] second",
  );
  expect(notUnderstood).toEqual([]);
});

test("random responses, however they are mixed, padded and cut, are read as by node:http2", async () => {
  const seeds = fc.sample(fc.nat(), 60);
  const streams = [1, 3, 5, 7];
  const responsesOf = async (seed: number, speaks: Speaker): Promise<string[]> => {
    const session = new ServerSession(new Random(seed));
    const greeting = session.greeting();
    const responses = session.responses(streams.map((streamId) => ({ streamId, token: `t${streamId}` })));
    const server = await startRawHttp2Server({ greeting, answer: (id) => (id === 7 ? responses : []) });
    const { send } = await openHttp2(server.port, { speaks });
    const sent = streams.map(() => send());
    await Promise.all(sent.map(({ over }) => over));
    return sent.map(outcomeOf);
  };
  const all = async (speaks: Speaker): Promise<string[][]> =>
    await Promise.all(seeds.map(async (seed) => await responsesOf(seed, speaks)));
  const own = await all("bearhug");
  expect(own).toEqual(await all("node:http2"));
  expect(own.flat().filter((outcome) => !outcome.startsWith("200 "))).toEqual([]);
});
