import { errorMessage } from "@bearhug/text/caught-error";

import { parseDuration } from "../validation/duration.ts";
import type { ArrivalRate } from "../executors/constant-arrival-rate.ts";

/**
 * The most VUs of a scenario: no machine has sockets for more, and a typo that adds zeros must
 * not exhaust the memory.
 */
export const maxVusLimit = 1_000_000;

const thousands: Readonly<Record<string, number>> = { k: 1e3, K: 1e3, M: 1e6 };

/**
 * Reads a whole number, `500` or `10k`. Returns null and adds a problem if it is invalid
 * or less than `least`.
 */
export function readCount(
  flag: string,
  text: string | undefined,
  least: number,
  problems: string[],
): number | null {
  if (text === undefined) return null;
  const [, digits = "", unit = ""] = /^(\d+)([kKM]?)$/.exec(text) ?? [];
  const value = Number(digits) * (thousands[unit] ?? 1);
  if (digits !== "" && Number.isSafeInteger(value) && value >= least) return value;
  problems.push(`${flag} ${text}: must be a whole number from ${least}.`);
  return null;
}

/** Reads a time that is longer than 0. Returns null and adds a problem if it is invalid. */
export function readPositiveDuration(
  flag: string,
  text: string | undefined,
  problems: string[],
): number | null {
  const durationMs = readDuration(flag, text, problems);
  if (durationMs !== 0) return durationMs;
  problems.push(`${flag} ${text}: must be longer than 0.`);
  return null;
}

/** A year, the same limit as in a test. */
const longestMs = 365 * 24 * 3_600_000;

/** Reads a time. Returns null and adds a problem if it is invalid. */
export function readDuration(flag: string, text: string | undefined, problems: string[]): number | null {
  if (text === undefined) return null;
  try {
    const durationMs = parseDuration(text);
    if (durationMs <= longestMs) return durationMs;
    problems.push(`${flag} ${text}: must be at most 8760h.`);
    return null;
  } catch (error) {
    problems.push(`${flag} ${text}: ${errorMessage(error)}`);
    return null;
  }
}

const unitBytes: Readonly<Record<string, number>> = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 };

/** `10GB`, `500 MB`: in bytes and powers of a thousand, as providers charge for traffic. */
const sizePattern = /^(\d+(?:\.\d+)?)\s*([kmgt]?b)$/i;

/** Reads `--max-data`. Returns null and adds a problem if it is invalid. */
export function readDataSize(flag: string, text: string | undefined, problems: string[]): number | null {
  if (text === undefined) return null;
  const [, amount = "", unit = ""] = sizePattern.exec(text.trim()) ?? [];
  const bytes = Number(amount) * (unitBytes[unit.toLowerCase()] ?? 0);
  if (bytes >= 1 && Number.isSafeInteger(Math.round(bytes))) return Math.round(bytes);
  problems.push(`${flag} ${text}: must be a size such as 500MB or 10GB.`);
  return null;
}

/**
 * Reads a number of bytes, `5000` or `20kB`. Returns null and adds a problem if it is invalid
 * or more than `most`.
 */
export function readByteCount(flag: string, text: string, most: number, problems: string[]): number | null {
  const [, amount = "", unit = "B"] = /^(\d+(?:\.\d+)?)\s*([kmg]?b)?$/i.exec(text.trim()) ?? [];
  const bytes = Math.round(Number(amount) * (unitBytes[unit.toLowerCase()] ?? 0));
  if (amount !== "" && bytes <= most) return bytes;
  problems.push(`${flag} ${text}: must be a number of bytes such as 5000 or 20kB, at most ${most / 1e9}GB.`);
  return null;
}

const unitBits: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, g: 1e9, t: 1e12 };

/** `900Mbps`, `10Gbit/s`, `2.5 Gb/s`: in bits and powers of a thousand, as network speeds are given. */
const speedPattern = /^(\d+(?:\.\d+)?)\s*([kmgt])(?:b(?:it)?(?:ps|\/s)?)$/i;

/**
 * Reads `--link`, the capacity of the path to the target in each direction. Returns null and adds a
 * problem if it is invalid.
 */
export function readLinkSpeed(text: string | undefined, problems: string[]): number | null {
  if (text === undefined) return null;
  const [, amount = "", unit = ""] = speedPattern.exec(text.trim()) ?? [];
  const bitsPerSecond = Number(amount) * (unitBits[unit.toLowerCase()] ?? 0);
  // MB/s is a unit for files, not links: a value that is wrong by a factor of eight would go unnoticed.
  const isBytes = /B(ps|\/s)?$/.test(text.trim());
  if (bitsPerSecond > 0 && !isBytes) return bitsPerSecond;
  problems.push(`--link ${text}: must be a speed in bits, such as 900Mbps, 1Gbps or 10Gbit/s.`);
  return null;
}

/**
 * Reads a share, `5%` or `0.5%`, as a number from 0 to 1. Returns null and adds a problem if it is invalid.
 */
export function readShare(flag: string, text: string | undefined, problems: string[]): number | null {
  if (text === undefined) return null;
  const [, amount = ""] = /^(\d+(?:\.\d+)?)\s*%$/.exec(text.trim()) ?? [];
  if (amount !== "" && Number(amount) <= 100) return Number(amount) / 100;
  problems.push(`${flag} ${text}: must be a share from 0% to 100%, such as 5%.`);
  return null;
}

const rateUnits: Readonly<Record<string, number>> = { s: 1000, m: 60_000, min: 60_000, h: 3_600_000 };

/** `500`, `500/s`, `30k/m`, `0.5/s`: a second if no period is given. M is a million, m a minute. */
const ratePattern = /^(\d+(?:\.\d+)?)\s*([kKM]?)\s*(?:\/\s*(s|m|min|h))?$/;

/** Reads a rate. Returns null and adds a problem if it is invalid. */
export function readRate(flag: string, text: string | undefined, problems: string[]): ArrivalRate | null {
  if (text === undefined) return null;
  const [, amount = "", unit = "", period = "s"] = ratePattern.exec(text.trim()) ?? [];
  const count = Number(amount) * (thousands[unit] ?? 1);
  const timeUnitMs = rateUnits[period];
  if (count > 0 && Number.isFinite(count) && timeUnitMs !== undefined) return { count, timeUnitMs };
  problems.push(`${flag} ${text}: must be a rate above 0, such as 500, 500/s or 30k/m.`);
  return null;
}
