import { randomSource } from "./random-source.ts";

/** The rule by which variants take turns: the same in all workers, because it depends on the time alone. */
export interface TurnRule {
  readonly seed: number;
  readonly variants: number;
  readonly turnMs: number;
  /** Iterations that start within this time after a turn began are not compared: those of the turn before may still run. */
  readonly changeoverMs: number;
}

/** One turn, or the changeover at its beginning. */
export interface Turn {
  /** In each block, every variant has one turn. */
  readonly block: number;
  readonly variant: number;
  readonly isChangeover: boolean;
  /** When the next one begins. */
  readonly untilMs: number;
}

/** Streams of random numbers that nothing else uses; each block has its own, counted downwards. */
const orderStream = -1_100_000_000;

/** Returns the turn at a time, from the start of the measured load; below 0 in the warm-up. */
export function turnAt({ seed, variants, turnMs, changeoverMs }: TurnRule, atMs: number): Turn {
  const number = Math.floor(atMs / turnMs);
  const block = Math.floor(number / variants);
  const variant = orderOf(seed, block, variants)[number - block * variants] ?? 0;
  const settledMs = number * turnMs + changeoverMs;
  const isChangeover = atMs < settledMs;
  return { block, variant, isChangeover, untilMs: isChangeover ? settledMs : (number + 1) * turnMs };
}

/** The blocks that were over before the time came. */
export function blocksBefore({ variants, turnMs }: TurnRule, endMs: number): number {
  return Math.max(0, Math.floor(endMs / (variants * turnMs)));
}

/** A shuffle (Fisher–Yates): each order is as likely as any other, whatever the order of other blocks. */
function orderOf(seed: number, block: number, variants: number): number[] {
  const random = randomSource(seed, orderStream - block);
  const order = Array.from({ length: variants }, (_, variant) => variant);
  for (let last = variants - 1; last > 0; last--) {
    const chosen = Math.floor(random() * (last + 1));
    [order[last], order[chosen]] = [order[chosen] ?? 0, order[last] ?? 0];
  }
  return order;
}
