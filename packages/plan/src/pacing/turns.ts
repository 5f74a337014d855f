import { randomSource } from "./random-source.ts";

/** The rule by which variants take turns: the same in all workers, because it depends on the time alone. */
export interface TurnRule {
  readonly seed: number;
  readonly variants: number;
  readonly turnMs: number;
  /**
   * Iterations that start within this time after the start of a turn are not compared: iterations of the
   * previous turn may still run.
   */
  readonly changeoverMs: number;
}

/** One turn, or the changeover at its beginning. */
export interface Turn {
  /** The number of the block, in which every variant has one turn. */
  readonly block: number;
  readonly variant: number;
  readonly isChangeover: boolean;
  /** When the next turn begins, or at a changeover the rest of this one. */
  readonly untilMs: number;
}

/**
 * The first of the random streams that order variants. Each block has its own, counted downwards; nothing
 * else uses them.
 */
const orderStream = -1_100_000_000;

/** Returns the turn at a time, which is from the start of the measured load; negative in the warm-up. */
export function turnAt({ seed, variants, turnMs, changeoverMs }: TurnRule, atMs: number): Turn {
  const number = Math.floor(atMs / turnMs);
  const block = Math.floor(number / variants);
  const variant = orderOf(seed, block, variants)[number - block * variants] ?? 0;
  const settledMs = number * turnMs + changeoverMs;
  const isChangeover = atMs < settledMs;
  return { block, variant, isChangeover, untilMs: isChangeover ? settledMs : (number + 1) * turnMs };
}

/** Returns the number of blocks that are complete at a time. */
export function blocksBefore({ variants, turnMs }: TurnRule, endMs: number): number {
  return Math.max(0, Math.floor(endMs / (variants * turnMs)));
}

/** Shuffles the variants (Fisher–Yates): each order is equally likely, independently of other blocks. */
function orderOf(seed: number, block: number, variants: number): number[] {
  const random = randomSource(seed, orderStream - block);
  const order = Array.from({ length: variants }, (_, variant) => variant);
  for (let last = variants - 1; last > 0; last--) {
    const chosen = Math.floor(random() * (last + 1));
    [order[last], order[chosen]] = [order[chosen] ?? 0, order[last] ?? 0];
  }
  return order;
}
