import type { HttpPhase, KnownHttpErrorCode } from "@bearhug/sdk";

import * as raw from "../../../http/test/http2/raw-frames.ts";
import type { Step } from "../../../http/test/http2/raw-http2-server.ts";
import { shortTimeout } from "./fault-row.ts";

/** An HTTP/2 fault: the frames that the server sends on a request's stream, and the expected error. */
export interface Http2FaultRow {
  readonly name: string;
  readonly greeting?: readonly Step[];
  readonly answer: (streamId: number) => readonly Step[];
  readonly timeout?: number;
  readonly code: KnownHttpErrorCode;
  readonly cause?: string;
  readonly phase: HttpPhase;
  readonly says?: string;
}

const ok: raw.Fields = [[":status", "200"]];
const begun = (id: number): Buffer => Buffer.concat([raw.headers(id, ok), raw.data(id, "half of it")]);

export const http2Faults: readonly Http2FaultRow[] = [
  {
    name: "RST_STREAM before an answer",
    answer: (id) => [raw.rstStream(id, "INTERNAL_ERROR")],
    code: "H2_STREAM_RESET",
    cause: "INTERNAL_ERROR",
    phase: "waiting",
  },
  {
    name: "RST_STREAM in the body",
    answer: (id) => [begun(id), raw.rstStream(id, "CANCEL")],
    code: "H2_STREAM_RESET",
    cause: "CANCEL",
    phase: "receiving",
  },
  {
    name: "RST_STREAM without an error in the body",
    answer: (id) => [begun(id), raw.rstStream(id, "NO_ERROR")],
    code: "H2_STREAM_RESET",
    cause: "NO_ERROR",
    phase: "receiving",
    says: "without END_STREAM",
  },
  {
    name: "a stream that is refused",
    answer: (id) => [raw.rstStream(id, "REFUSED_STREAM")],
    code: "H2_REFUSED_STREAM",
    cause: "REFUSED_STREAM",
    phase: "waiting",
    says: "safe to retry",
  },
  {
    name: "RST_STREAM that asks for calm",
    answer: (id) => [raw.rstStream(id, "ENHANCE_YOUR_CALM")],
    code: "H2_ENHANCE_YOUR_CALM",
    cause: "ENHANCE_YOUR_CALM",
    phase: "waiting",
  },
  {
    name: "GOAWAY that names no stream",
    answer: () => [raw.goaway(0, "NO_ERROR")],
    code: "H2_GOAWAY",
    cause: "NO_ERROR",
    phase: "waiting",
    says: "safe to retry",
  },
  {
    name: "GOAWAY with an error of the server",
    answer: (id) => [raw.goaway(id, "INTERNAL_ERROR"), "end"],
    code: "H2_GOAWAY",
    cause: "INTERNAL_ERROR",
    phase: "waiting",
  },
  {
    name: "GOAWAY that asks for calm",
    answer: (id) => [raw.goaway(id, "ENHANCE_YOUR_CALM"), "end"],
    code: "H2_ENHANCE_YOUR_CALM",
    cause: "ENHANCE_YOUR_CALM",
    phase: "waiting",
  },
  {
    name: "a frame larger than allowed",
    answer: (id) => [raw.frame("DATA", 0, id, Buffer.alloc(20_000))],
    code: "H2_PROTOCOL_ERROR",
    phase: "waiting",
  },
  {
    name: "an HTTP/1.1 server",
    greeting: [Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n")],
    answer: () => [],
    code: "H2_PROTOCOL_ERROR",
    phase: "waiting",
  },
  {
    name: "the end of the connection before an answer",
    answer: () => ["end"],
    code: "CONNECTION_CLOSED",
    phase: "waiting",
  },
  {
    name: "the end of the connection in the body",
    answer: (id) => [begun(id), "end"],
    code: "RESPONSE_TRUNCATED",
    phase: "receiving",
  },
  {
    name: "a stall in the body",
    answer: (id) => [begun(id)],
    timeout: shortTimeout,
    code: "RESPONSE_TIMEOUT",
    phase: "receiving",
    says: "10 bytes of the body",
  },
  {
    name: "a server that sends nothing",
    answer: () => [],
    timeout: shortTimeout,
    code: "RESPONSE_TIMEOUT",
    phase: "waiting",
  },
  {
    name: "a server that allows no stream",
    greeting: [raw.settings({ maxConcurrentStreams: 0 }), raw.settingsAck()],
    answer: () => [],
    timeout: shortTimeout,
    // The first request is sent before the server's SETTINGS arrive.
    code: "RESPONSE_TIMEOUT",
    phase: "waiting",
  },
];
