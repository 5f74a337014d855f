import { sumBy } from "@bearhug/metrics/sum";
import { randomSource } from "@bearhug/plan/pacing/random-source";
import type { Random } from "@bearhug/sdk";
import { describeValue } from "@bearhug/text/describe-value";

/** Creates the random numbers of one VU. */
export function createRandom(seed: number, vuId: number): Random {
  const next = randomSource(seed, vuId);
  const integer = (min: number, max: number): number => {
    const low = Math.ceil(min);
    if (!(low <= Math.floor(max)))
      throw new RangeError(`random.integer(${min}, ${max}): there is no whole number in this range.`);
    return low + Math.floor(next() * (Math.floor(max) - low + 1));
  };
  return Object.assign(next, {
    integer,
    pick<T>(list: readonly T[]): T {
      requireList("pick", list);
      const index = Math.floor(next() * list.length);
      for (const picked of list.slice(index, index + 1)) return picked;
      throw new RangeError("random.pick: the list is empty");
    },
    weighted<T>(choices: readonly (readonly [value: T, weight: number])[]): T {
      return chooseWeighted(choices, next());
    },
    shuffle<T>(list: readonly T[]): T[] {
      requireList("shuffle", list);
      return list
        .map((value) => ({ value, order: next() }))
        .sort((left, right) => left.order - right.order)
        .map(({ value }) => value);
    },
    uuid: () => formatUuid([next(), next(), next(), next()]),
  });
}

/**
 * Formats four 32-bit numbers as a UUID of version 4, random except for version and variant (RFC 9562,
 * section 5.4).
 */
function formatUuid(numbers: readonly number[]): string {
  const digits = numbers
    .map((number) =>
      Math.floor(number * 2 ** 32)
        .toString(16)
        .padStart(8, "0"),
    )
    .join("");
  const variant = (8 + (Number.parseInt(digits.charAt(16), 16) % 4)).toString(16);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    variant + digits.slice(17, 20),
    digits.slice(20),
  ].join("-");
}

/** Tests run without a type check, and lists often come from responses. */
function requireList(method: "pick" | "shuffle", list: unknown): void {
  if (!Array.isArray(list))
    throw new TypeError(`random.${method}: give a list, such as data.users; it got ${describeValue(list)}.`);
}

function requireChoices(choices: unknown): void {
  const isWrong = (choice: unknown): boolean => !Array.isArray(choice) || !Number.isFinite(choice[1]);
  if (Array.isArray(choices) && !choices.some(isWrong)) return;
  const given = Array.isArray(choices)
    ? `item ${choices.findIndex(isWrong)} is ${describeValue(choices.find(isWrong))} without a finite number as its weight`
    : `it got ${describeValue(choices)}`;
  throw new TypeError(
    `random.weighted: give a list of values and weights, such as [["a", 3], ["b", 1]]; ${given}.`,
  );
}

function chooseWeighted<T>(choices: readonly (readonly [value: T, weight: number])[], position: number): T {
  requireChoices(choices);
  const possible = choices.filter(([, weight]) => weight > 0);
  let left = position * sumBy(possible, ([, weight]) => weight);
  for (const [value, weight] of possible) {
    left -= weight;
    if (left < 0) return value;
  }
  const last = possible.at(-1);
  if (last === undefined) throw new RangeError("random.weighted: no weight is above 0");
  return last[0];
}
