/** A reproducible stream of numbers in [0, 1). */
export type RandomSource = () => number;

/**
 * The generator sfc32 (Chris Doty-Humphrey, PractRand): 128 bits of state, passes the usual test batteries.
 * Different `stream` numbers give streams that are independent enough for a load test.
 */
export function randomSource(seed: number, stream: number): RandomSource {
  let a = seed | 0;
  let b = Math.floor(seed / 2 ** 32) | 0;
  let c = stream | 0;
  let counter = 1;
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let warmUp = 0; warmUp < 15; warmUp++) next();
  return () => next() / 2 ** 32;
}
