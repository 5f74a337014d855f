import { errorCode, Http2Violation } from "./error-codes.ts";
import {
  defaultFrameBytes,
  defaultWindowBytes,
  flagAck,
  frameHeadBytes,
  frameType,
  largestWindow,
  readWord,
  writeFrameHead,
  writeWord,
} from "./frames.ts";

/** RFC 9113, section 6.5.2. */
const settingId = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
} as const;

const settingBytes = 6;

/** The preface of a client, before its first frame (RFC 9113, section 3.4). */
const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

/** Returns the first bytes of a client: the connection preface, and its settings. */
export function clientPreface(streamWindowBytes: number, maxHeaderListBytes: number): Buffer {
  const settings = [
    [settingId.enablePush, 0],
    [settingId.initialWindowSize, streamWindowBytes],
    [settingId.maxHeaderListSize, maxHeaderListBytes],
  ] as const;
  const frame = Buffer.alloc(frameHeadBytes + settingBytes * settings.length);
  writeFrameHead(frame, 0, settingBytes * settings.length, frameType.settings, 0, 0);
  settings.forEach(([id, value], index) => {
    const at = frameHeadBytes + settingBytes * index;
    frame.writeUInt16BE(id, at);
    writeWord(frame, at + 2, value);
  });
  return Buffer.concat([preface, frame]);
}

/** The acknowledgement of the peer's settings. */
export const settingsReply: Buffer = Buffer.alloc(frameHeadBytes);
writeFrameHead(settingsReply, 0, 0, frameType.settings, flagAck, 0);

/** The settings of the peer that concern a client. */
export class PeerSettings {
  headerTableBytes = 4096;
  maxConcurrentStreams: number = Number.POSITIVE_INFINITY;
  initialWindowBytes: number = defaultWindowBytes;
  maxFrameBytes: number = defaultFrameBytes;

  /** Reads the payload of a frame. @throws {Http2Violation} */
  read(bytes: Buffer, start: number, end: number): void {
    if ((end - start) % settingBytes !== 0) {
      throw new Http2Violation(errorCode.frameSizeError, `a SETTINGS frame of ${end - start} bytes`);
    }
    for (let at = start; at < end; at += settingBytes) {
      this.#set(bytes.readUInt16BE(at), readWord(bytes, at + 2));
    }
  }

  #set(id: number, value: number): void {
    switch (id) {
      case settingId.headerTableSize:
        this.headerTableBytes = value;
        break;
      case settingId.enablePush:
        refuse(value !== 0, errorCode.protocolError, `ENABLE_PUSH ${value} from a server`);
        break;
      case settingId.maxConcurrentStreams:
        this.maxConcurrentStreams = value;
        break;
      case settingId.initialWindowSize:
        refuse(value > largestWindow, errorCode.flowControlError, `INITIAL_WINDOW_SIZE ${value}`);
        this.initialWindowBytes = value;
        break;
      case settingId.maxFrameSize:
        refuse(
          value < defaultFrameBytes || value > 2 ** 24 - 1,
          errorCode.protocolError,
          `MAX_FRAME_SIZE ${value}`,
        );
        this.maxFrameBytes = value;
        break;
      default:
      // Unknown settings are ignored. MAX_HEADER_LIST_SIZE is only advisory.
    }
  }
}

function refuse(isRefused: boolean, code: number, reason: string): void {
  if (isRefused) throw new Http2Violation(code, reason);
}
