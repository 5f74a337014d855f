import {
  frame,
  frameTypes,
  goaway,
  ping,
  rstStream,
  settings,
  splitFrames,
  windowUpdate,
} from "../raw-frames.ts";
import type { Random } from "./random.ts";

/** Changes a server's frames at one place: whole frames, or bytes anywhere in them. */
export function mutate(frames: readonly Buffer[], random: Random): Buffer[] {
  const at = random.below(frames.length);
  const chosen = frames[at] ?? Buffer.alloc(0);
  const replaced = (...by: Buffer[]): Buffer[] => [...frames.slice(0, at), ...by, ...frames.slice(at + 1)];
  switch (random.below(9)) {
    case 0:
      return replaced();
    case 1:
      return replaced(chosen, chosen);
    case 2:
      return replaced(...frames.slice(at + 1, at + 2), chosen);
    case 3:
      return replaced(withHeadByte(chosen, 8, random.below(12)));
    case 4:
      return replaced(withHeadByte(chosen, 4, random.below(256)));
    case 5:
      return replaced(withHeadByte(chosen, 3, random.below(12)));
    case 6:
      return replaced(resized(chosen, random));
    case 7:
      return replaced(stray(random), chosen);
    default:
      return replaced(...withWrongBytes(chosen, random));
  }
}

function withHeadByte(bytes: Buffer, at: number, value: number): Buffer {
  const changed = Buffer.from(bytes);
  if (at < changed.length) changed[at] = value;
  return changed;
}

/** Cuts or extends the payload of a frame, with a matching length. */
function resized(bytes: Buffer, random: Random): Buffer {
  const [first] = splitFrames(bytes).frames;
  if (first === undefined) return bytes;
  const { type, flags, streamId, payload } = first;
  const length = random.below(payload.length + 20);
  const other = Buffer.alloc(length, random.below(256));
  payload.copy(other);
  return frame(type, flags, streamId, other);
}

/** Flips a bit, drops bytes, or inserts random ones. */
function withWrongBytes(bytes: Buffer, random: Random): Buffer[] {
  const position = random.below(bytes.length + 1);
  switch (random.below(3)) {
    case 0: {
      const changed = Buffer.from(bytes);
      if (position < bytes.length) changed[position] = (changed[position] ?? 0) ^ (1 << random.below(8));
      return [changed];
    }
    case 1:
      return [bytes.subarray(0, position), bytes.subarray(position + 1 + random.below(10))];
    default:
      return [bytes.subarray(0, position), random.bytes(1 + random.below(12)), bytes.subarray(position)];
  }
}

/** Makes a frame that no response needs, well-formed or not. */
function stray(random: Random): Buffer {
  const streamId = random.below(10);
  const code = random.below(15);
  switch (random.below(8)) {
    case 0:
      return rstStream(streamId, code);
    case 1:
      return goaway(random.below(10), code, "because");
    case 2:
      return windowUpdate(streamId, random.pick([0, 1, 65_535, 2 ** 31 - 1]));
    case 3:
      return ping(random.bytes(8), random.chance(0.5));
    case 4:
      return settings({
        initialWindowSize: random.pick([0, 5, 2 ** 31 - 1, 2 ** 31]),
        maxFrameSize: random.pick([0, 16_384, 2 ** 24 - 1]),
        headerTableSize: random.pick([0, 100, 2 ** 31]),
      });
    case 5:
      return frame("PUSH_PROMISE", 4, streamId, Buffer.from([0, 0, 0, 2, 0x82]));
    default:
      return frame(
        random.below(Object.keys(frameTypes).length + 2),
        random.below(256),
        streamId,
        random.bytes(random.below(30)),
      );
  }
}
