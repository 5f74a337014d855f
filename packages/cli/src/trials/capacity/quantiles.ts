/**
 * The standard normal distribution's upper quantile: a normal variable exceeds it with this probability.
 * Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.2.23; wrong by less than 0.00045.
 */
export function normalQuantile(probability: number): number {
  if (probability > 0.5) return -normalQuantile(1 - probability);
  const t = Math.sqrt(-2 * Math.log(probability));
  const numerator = 2.515517 + 0.802853 * t + 0.010328 * t ** 2;
  const denominator = 1 + 1.432788 * t + 0.189269 * t ** 2 + 0.001308 * t ** 3;
  return t - numerator / denominator;
}

/**
 * Student's upper quantile, by its expansion around the normal one (Abramowitz and Stegun 26.7.5). From five degrees of
 * freedom on it is wrong by less than 2 % where probabilities are above 0.005.
 */
export function studentQuantile(probability: number, degrees: number): number {
  const z = normalQuantile(probability);
  const terms = [
    z,
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
  ];
  return terms.reduce((sum, term, power) => sum + term / degrees ** power, 0);
}
