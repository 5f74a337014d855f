/** Frames of HTTP/2 as bytes, well-formed or not (RFC 9113, section 6); nothing here keeps state. */

export const frameTypes = {
  DATA: 0,
  HEADERS: 1,
  PRIORITY: 2,
  RST_STREAM: 3,
  SETTINGS: 4,
  PUSH_PROMISE: 5,
  PING: 6,
  GOAWAY: 7,
  WINDOW_UPDATE: 8,
  CONTINUATION: 9,
} as const;

export type FrameType = keyof typeof frameTypes;

export const errorCodes = {
  NO_ERROR: 0,
  PROTOCOL_ERROR: 1,
  INTERNAL_ERROR: 2,
  FLOW_CONTROL_ERROR: 3,
  SETTINGS_TIMEOUT: 4,
  STREAM_CLOSED: 5,
  FRAME_SIZE_ERROR: 6,
  REFUSED_STREAM: 7,
  CANCEL: 8,
  COMPRESSION_ERROR: 9,
  CONNECT_ERROR: 10,
  ENHANCE_YOUR_CALM: 11,
  INADEQUATE_SECURITY: 12,
  HTTP_1_1_REQUIRED: 13,
} as const;

export type ErrorName = keyof typeof errorCodes;

const settingIds = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
} as const;

export type Settings = { readonly [name in keyof typeof settingIds]?: number };

const flags = { ACK: 1, END_STREAM: 1, END_HEADERS: 4, PADDED: 8, PRIORITY: 32 } as const;

/** The bytes that a client sends before its first frame. */
export const preface: Buffer = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

/** Builds any frame; `length` is the length in its header, if that should be wrong. */
export function frame(
  type: FrameType | number,
  flagBits: number,
  streamId: number,
  payload: Uint8Array = Buffer.alloc(0),
  length: number = payload.length,
): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(length, 0, 3);
  head.writeUInt8(typeof type === "number" ? type : frameTypes[type], 3);
  head.writeUInt8(flagBits, 4);
  head.writeUInt32BE(streamId, 5);
  return Buffer.concat([head, payload]);
}

export function settings(values: Settings = {}): Buffer {
  const entries = Object.entries(values).map(([name, value]) => {
    const entry = Buffer.alloc(6);
    entry.writeUInt16BE(settingIds[name as keyof typeof settingIds]);
    entry.writeUInt32BE(value, 2);
    return entry;
  });
  return frame("SETTINGS", 0, 0, Buffer.concat(entries));
}

export function settingsAck(): Buffer {
  return frame("SETTINGS", flags.ACK, 0);
}

export type Fields = readonly (readonly [string, string])[];

/** Encodes fields as HPACK literals that enter no table, without Huffman (RFC 7541, section 6.2.2). */
export function headerBlock(fields: Fields): Buffer {
  return Buffer.concat(
    fields.flatMap(([name, value]) => [Buffer.from([0]), ...literal(name), ...literal(value)]),
  );
}

function literal(text: string): Buffer[] {
  const bytes = Buffer.from(text, "latin1");
  const length: number[] = [];
  let rest = bytes.length;
  if (rest < 127) length.push(rest);
  else {
    length.push(127);
    for (rest -= 127; rest >= 128; rest >>= 7) length.push((rest & 127) | 128);
    length.push(rest);
  }
  return [Buffer.from(length), bytes];
}

export interface HeadersOptions {
  readonly endStream?: boolean;
  /** False if CONTINUATION frames follow. */
  readonly endHeaders?: boolean;
}

/** Builds a HEADERS frame from fields, or from the bytes of a block, which need not be valid HPACK. */
export function headers(
  streamId: number,
  fields: Fields | Uint8Array,
  { endStream = false, endHeaders = true }: HeadersOptions = {},
): Buffer {
  const block = fields instanceof Uint8Array ? fields : headerBlock(fields);
  const bits = (endStream ? flags.END_STREAM : 0) | (endHeaders ? flags.END_HEADERS : 0);
  return frame("HEADERS", bits, streamId, block);
}

export function continuation(streamId: number, block: Uint8Array, endHeaders = true): Buffer {
  return frame("CONTINUATION", endHeaders ? flags.END_HEADERS : 0, streamId, block);
}

export function data(streamId: number, payload: string | Uint8Array = "", endStream = false): Buffer {
  return frame("DATA", endStream ? flags.END_STREAM : 0, streamId, Buffer.from(payload));
}

/** Builds a complete response: its head, and its body if there is one. */
export function response(streamId: number, status: number, body = "", fields: Fields = []): Buffer {
  const head = headers(streamId, [[":status", String(status)], ...fields], { endStream: body === "" });
  return body === "" ? head : Buffer.concat([head, data(streamId, body, true)]);
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function codeOf(code: ErrorName | number): number {
  return typeof code === "number" ? code : errorCodes[code];
}

export function rstStream(streamId: number, code: ErrorName | number): Buffer {
  return frame("RST_STREAM", 0, streamId, word(codeOf(code)));
}

export function goaway(lastStreamId: number, code: ErrorName | number, debugData = ""): Buffer {
  const payload = Buffer.concat([word(lastStreamId), word(codeOf(code)), Buffer.from(debugData)]);
  return frame("GOAWAY", 0, 0, payload);
}

export function ping(payload: Uint8Array = Buffer.alloc(8), isAck = false): Buffer {
  return frame("PING", isAck ? flags.ACK : 0, 0, payload);
}

/** Builds a WINDOW_UPDATE; stream 0 is the connection. */
export function windowUpdate(streamId: number, increment: number): Buffer {
  return frame("WINDOW_UPDATE", 0, streamId, word(increment));
}

export function pushPromise(streamId: number, promisedId: number, fields: Fields): Buffer {
  return frame(
    "PUSH_PROMISE",
    flags.END_HEADERS,
    streamId,
    Buffer.concat([word(promisedId), headerBlock(fields)]),
  );
}

export interface ReceivedFrame {
  /** The number, if the protocol does not define the type. */
  readonly type: FrameType | number;
  readonly flags: number;
  readonly streamId: number;
  readonly payload: Buffer;
}

const typeNames = new Map<number, FrameType>(
  Object.entries(frameTypes).map(([name, type]) => [type, name as FrameType]),
);

/** Splits bytes into the complete frames at their beginning, and the rest. */
export function splitFrames(bytes: Buffer): { readonly frames: ReceivedFrame[]; readonly rest: Buffer } {
  const frames: ReceivedFrame[] = [];
  let rest = bytes;
  while (rest.length >= 9 && rest.length >= 9 + rest.readUIntBE(0, 3)) {
    const end = 9 + rest.readUIntBE(0, 3);
    const type = rest.readUInt8(3);
    frames.push({
      type: typeNames.get(type) ?? type,
      flags: rest.readUInt8(4),
      streamId: rest.readUInt32BE(5) & 0x7fffffff,
      payload: rest.subarray(9, end),
    });
    rest = rest.subarray(end);
  }
  return { frames, rest };
}
