import { z } from "@bearhug/sdk/internal";
import type { EntryTimings } from "../capture.ts";
import { milliseconds } from "./json-fields.ts";

const partsSchema = z.object({
  blocked: milliseconds,
  dns: milliseconds,
  connect: milliseconds,
  ssl: milliseconds,
  send: milliseconds,
  wait: milliseconds,
  receive: milliseconds,
});
// No object at all tells no part.
const timingsSchema = z.compile(partsSchema.catch(partsSchema.parse({})));

type RawTimings = z.infer<typeof partsSchema>;

export interface ReadTimings {
  readonly timings: EntryTimings;
  /** The file's own word, or the sum of the parts; null where it has neither. */
  readonly durationMs: number | null;
}

/** Reads the duration of an exchange and its parts. */
export function readTimings(rawTimings: unknown, rawTime: unknown): ReadTimings {
  const raw = timingsSchema.parse(rawTimings);
  const written = milliseconds.parse(rawTime);
  const timings = {
    blockedMs: raw.blocked ?? 0,
    dnsMs: raw.dns ?? 0,
    connectMs: connectOf(raw, written),
    sendMs: raw.send ?? 0,
    waitMs: raw.wait ?? 0,
    receiveMs: raw.receive ?? 0,
  };
  const sum = Object.values(timings).reduce((total, part) => total + part, 0);
  const isTold = Object.values(raw).some((part) => part !== null);
  // Some write 0 where they did not measure the whole.
  const durationMs = written === null || written === 0 ? (isTold ? sum : written) : written;
  return { timings, durationMs };
}

/**
 * Time to connect, with TLS. HAR counts `ssl` within `connect`; Firefox and others count it beside. Where the whole time
 * is known it decides, else which of the two is longer.
 */
function connectOf(raw: RawTimings, written: number | null): number {
  const connect = raw.connect ?? 0;
  const ssl = raw.ssl ?? 0;
  if (ssl > connect) return connect + ssl;
  if (written === null || written === 0) return connect;
  const { blocked, dns, send, wait, receive } = raw;
  const within = [blocked, dns, connect, send, wait, receive].reduce<number>(
    (sum, part) => sum + (part ?? 0),
    0,
  );
  const isBeside = Math.abs(within + ssl - written) < Math.abs(within - written);
  return isBeside ? connect + ssl : connect;
}
