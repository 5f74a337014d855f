import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import {
  importCapture,
  type ImportOptions,
  parseHostPattern,
  parsePattern,
  type TestOptions,
  type TestSource,
  writeTest,
} from "../../src/index.ts";

/** A capture and the options of its import. The expected test is beside it. */
export interface Pair {
  readonly name: string;
  readonly options: ImportOptions;
  readonly testOptions: TestOptions;
}

/** The folder of the pairs: `name.har`, `name.expected.ts`, `name.expected.env`, and their data. */
export const pairFolder = fileURLToPath(new URL("golden/", import.meta.url));

const special: ReadonlyMap<string, Partial<Pair>> = new Map<string, Partial<Pair>>([
  ["static-files-dropped", { options: { select: { static: "drop" } } }],
  [
    "chosen-hosts-and-patterns",
    {
      options: {
        select: {
          hosts: [parsed(parseHostPattern("*.payments.test"))],
          skip: [parsed(parsePattern("*/api/health"))],
        },
      },
    },
  ],
  ["parameterized", { options: { parameterize: true } }],
  ["pages-per-second", { testOptions: { pagesPerSecond: 1.1 } }],
]);

export const pairs: readonly Pair[] = readdirSync(pairFolder)
  .filter((file) => file.endsWith(".har"))
  .map((file) => file.slice(0, -".har".length))
  .map((name) => ({ name, options: {}, testOptions: {}, ...special.get(name) }));

function capturePath(name: string): string {
  return `${pairFolder}${name}.har`;
}

export function expectedPath(name: string): string {
  return `${pairFolder}${name}.expected.ts`;
}

export async function writePair({ name, options, testOptions }: Pair): Promise<TestSource> {
  const bytes = readFileSync(capturePath(name));
  return await writeTest(await importCapture(() => [bytes], options), testOptions);
}

function parsed<Value>(read: { readonly value: Value } | { readonly problem: string }): Value {
  if ("problem" in read) throw new Error(read.problem);
  return read.value;
}
