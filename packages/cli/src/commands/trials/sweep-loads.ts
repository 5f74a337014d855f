import { maxVusLimit, readRate } from "@bearhug/plan/test-file/quantities";
import type { SweepResult } from "@bearhug/sdk/result";

/** The flags that set the loads of a sweep, unparsed. */
export interface SweepLoadFlags {
  readonly vus?: string;
  readonly connections?: string;
  readonly rate?: string;
  readonly from?: string;
  readonly to?: string;
  readonly double: boolean;
  readonly add?: string;
}

/** The loads of a sweep in rising order, and their unit. */
export type SweepLoads = Pick<SweepResult, "loadUnit" | "loads">;

/** Limits the length of a sweep and of its reports: each step takes seconds, and a row. */
const maxSteps = 100;

/** The range of a sweep without load options. */
const [defaultFrom, defaultTo] = [1, 256];

/** Reads the loads. Adds a sentence to `problems` for each flag that cannot be used. */
export function readSweepLoads(flags: SweepLoadFlags, isUrl: boolean, problems: string[]): SweepLoads {
  const defaultUnit = isUrl ? "connections" : "vus";
  const lists = (["vus", "connections", "rate"] as const).filter((name) => flags[name] !== undefined);
  const range = (["from", "to", "double", "add"] as const).filter(
    (name) => flags[name] !== undefined && flags[name] !== false,
  );
  const given = [...lists, ...(range.length > 0 ? [range[0] ?? "from"] : [])].map((name) => `--${name}`);
  if (given.length > 1) {
    problems.push(`${given.join(", ")}: each of them sets the loads. Keep one.`);
    return { loadUnit: defaultUnit, loads: [] };
  }
  const [list] = lists;
  if (list === undefined) return { loadUnit: defaultUnit, loads: readRange(flags, problems) };
  const loadUnit = list === "rate" ? "rate" : isUrl ? "connections" : "vus";
  return { loadUnit, loads: readList(list, flags[list] ?? "", problems) };
}

function readList(name: "vus" | "connections" | "rate", text: string, problems: string[]): number[] {
  const flag = `--${name}`;
  const texts = text.split(",").map((one) => one.trim());
  if (texts.includes("")) {
    problems.push(`${flag} ${text}: a load is missing. Write numbers, separated by commas: 6,12,25.`);
    return [];
  }
  const read = texts.map((one) =>
    name === "rate" ? readRateLoad(one, problems) : readCount(flag, one, problems),
  );
  const loads = read.filter((load) => load !== null);
  const fall = loads.findIndex((load, index) => index > 0 && load <= (loads[index - 1] ?? 0));
  if (fall > 0) problems.push(`${flag} ${text}: the loads must rise, but ${texts[fall] ?? ""} does not.`);
  if (loads.length > maxSteps)
    problems.push(`${flag}: ${loads.length} loads are given; at most ${maxSteps} are allowed.`);
  return loads;
}

function readRateLoad(text: string, problems: string[]): number | null {
  const rate = readRate("--rate", text, problems);
  return rate === null ? null : (rate.count * 1000) / rate.timeUnitMs;
}

function readCount(flag: string, text: string, problems: string[]): number | null {
  const count = Number(text);
  if (/^\d+$/.test(text) && count > 0 && count <= maxVusLimit) return count;
  const what = count > maxVusLimit ? `, at most ${maxVusLimit} each` : " above 0";
  problems.push(`${flag} ${text}: must be whole numbers${what}, separated by commas: 6,12,25.`);
  return null;
}

function readRange({ from, to, double, add }: SweepLoadFlags, problems: string[]): number[] {
  if (double && add !== undefined) problems.push("--double, --add: choose one of them.");
  const [least, most] = [
    readEnd("--from", from, defaultFrom, problems),
    readEnd("--to", to, defaultTo, problems),
  ];
  const step = add === undefined ? null : readEnd("--add", add, 1, problems);
  if (least === null || most === null || (add !== undefined && step === null)) return [];
  if (least >= most) {
    problems.push(`--from ${least}, --to ${most}: --to must be greater than --from.`);
    return [];
  }
  const loads = step === null ? doubled(least, most) : added(least, most, step);
  if (loads.length > maxSteps) {
    problems.push(
      `--add ${step}: makes ${loads.length} steps; at most ${maxSteps} are allowed. Use a larger --add.`,
    );
  }
  return loads;
}

function readEnd(
  flag: string,
  text: string | undefined,
  defaultValue: number,
  problems: string[],
): number | null {
  if (text === undefined) return defaultValue;
  const value = Number(text);
  if (/^\d+$/.test(text) && value > 0 && value <= maxVusLimit) return value;
  problems.push(`${flag} ${text}: must be a whole number from 1 to ${maxVusLimit}.`);
  return null;
}

/** Returns loads that about double from step to step and include both ends: 6, 12, 24, 49, …, 1600. */
function doubled(least: number, most: number): number[] {
  const steps = Math.max(1, Math.round(Math.log2(most / least)));
  const loads = Array.from({ length: steps + 1 }, (_, index) =>
    Math.round(least * (most / least) ** (index / steps)),
  );
  return [...new Set(loads)];
}

function added(least: number, most: number, step: number): number[] {
  const steps = Math.ceil((most - least) / step);
  return Array.from({ length: steps + 1 }, (_, index) => Math.min(most, least + index * step));
}
