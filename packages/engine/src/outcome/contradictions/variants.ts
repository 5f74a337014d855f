import type { TestResult } from "@bearhug/sdk";

import type { Contradiction } from "./contradiction.ts";

/**
 * Finds variants with duplicate names, with more failures than requests, or with missing or surplus
 * comparisons to the first.
 */
export function wrongVariants({ variants: section }: TestResult): Contradiction[] {
  const variants = section?.variants ?? [];
  const names = variants.map(({ name }) => name);
  return variants.flatMap(({ name, requests, failures, figures, differences }, index) => {
    const path = `variants.variants[${index}]`;
    return [
      ...(names.indexOf(name) === index
        ? []
        : [{ path: `${path}.name`, message: `is "${name}", as that of another variant` }]),
      ...(failures <= requests
        ? []
        : [{ path: `${path}.failures`, message: `is ${failures}, but there were ${requests} requests` }]),
      ...Object.entries(figures).flatMap(([figure, { interval }]) =>
        interval === null || interval[0] <= interval[1]
          ? []
          : [
              {
                path: `${path}.figures.${figure}.interval`,
                message: `begins at ${interval[0]}, above its end, ${interval[1]}`,
              },
            ],
      ),
      ...((differences === null) === (index === 0)
        ? []
        : [
            {
              path: `${path}.differences`,
              message:
                index === 0
                  ? "compare the first variant with itself"
                  : "is null, but it is compared with the first",
            },
          ]),
    ];
  });
}
