import type { TestResult } from "@bearhug/sdk";

import { claim, type Contradiction } from "./contradiction.ts";

/**
 * Finds variants with duplicate names, with more failures than requests, or with missing or surplus
 * comparisons to the first.
 */
export function wrongVariants({ variants: section }: TestResult): Contradiction[] {
  const variants = section?.variants ?? [];
  const names = variants.map(({ name }) => name);
  return variants.flatMap(({ name, requests, failures, figures, differences }, index) => {
    const path = `variants.variants[${index}]`;
    const isFirst = index === 0;
    return [
      ...claim(names.indexOf(name) === index, `${path}.name`, `is "${name}", as that of another variant`),
      ...claim(
        failures <= requests,
        `${path}.failures`,
        `is ${failures}, but there were ${requests} requests`,
      ),
      ...Object.entries(figures).flatMap(([figure, { interval }]) => {
        const [low, high] = interval ?? [0, 0];
        return claim(
          low <= high,
          `${path}.figures.${figure}.interval`,
          `begins at ${low}, above its end, ${high}`,
        );
      }),
      ...claim(
        (differences === null) === isFirst,
        `${path}.differences`,
        isFirst ? "compare the first variant with itself" : "is null, but it is compared with the first",
      ),
    ];
  });
}
