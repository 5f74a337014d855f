import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const sdk = join(import.meta.dirname, "..");
const workspace = join(sdk, "../..");
const require = createRequire(join(workspace, "package.json"));

/** Faulty tests. Compilers must print the sentences below for them, which `defineTest` writes as types. */
const refused = `
import { defineTest } from "@bearhug/sdk";
const exec = () => undefined;
const scenarios = { readers: { executor: "shared-iterations", exec } } as const;
defineTest({ scenarios, thresholds: { http_req_duraton: ["avg<1"] } });
defineTest({ scenarios, thresholds: { "http_reqs{scenario:writers}": ["count>1"] } });
defineTest({ scenarios, thresholds: { "http_reqs{page}": ["count>1"] } });
defineTest({ scenarios, thresholds: { http_req_failed: ["p(95)<1s"] } });
defineTest({ scenarios, metrics: { vus: { type: "gauge" } } });
defineTest({
  scenarios: { readers: { executor: "shared-iterations", exec: ({ data }) => data.path } },
  setup: async ({ http }) => ({ path: (await http.get("/")).text() }),
});
const stages = [{ duration: "30s", target: 5 }];
defineTest({ scenarios: { ramp: { executor: "ramping-vus", stages, exec } } });
const thresholds = { http_req_failed: ["rate<1%"] };
defineTest({ scenarios, thresholds });
defineTest({ scenarios: { steady: { executor: "constant-vus", duration: "1 sec", exec } } });
`;

const sentences = [
  "no metric is called http_req_duraton",
  "no scenario is called writers",
  "a tag filter is written {page:home} or {page:home,status!:500}",
  '<"rate", "" | "%", "rate<1%" | "rate>99%", ',
  "Type 'string' is not assignable to type 'Time<",
  '"for a constant: const stages = [ … ] satisfies Stages">',
  "Type 'string' is not assignable to type 'Threshold<",
  '"for a constant: const thresholds = { … } satisfies Thresholds">',
  `Type '"1 sec"' is not assignable to type`,
  "this name belongs to a built-in metric",
  "Property 'path' does not exist on type 'UnknownData'",
  "fix other errors first; then write setup above scenarios, or annotate its parameter: SetupContext",
];

interface Flags {
  readonly strict: boolean;
  readonly lib?: readonly string[];
}

const strictest = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
};
const plainStrict = { strict: true, lib: ["es2024", "dom"] };

/**
 * The declarations that the check has just built, as users' compilers read them, checked completely. If none
 * were built, the sources, for which compilers take three times as long.
 */
const types =
  process.env["BEARHUG_PACKED"] === undefined
    ? { path: join(sdk, "src/index.ts"), skipLibCheck: true }
    : { path: join(sdk, "dist/index.d.ts"), skipLibCheck: false };

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bearhug-types-"));
  await writeFile(join(folder, "refused.mts"), refused);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Verdict {
  /** Errors in the fixtures and in the SDK itself, including expected errors that did not occur. */
  readonly unexpected: readonly string[];
  /** Everything that the compiler printed. */
  readonly printed: string;
}

/** Each thread of TypeScript 7 would compute the SDK's types again. */
const oneThread: Record<string, readonly string[]> = { "typescript-7.0": ["--singleThreaded"] };

async function compile(compiler: string, flags: Flags): Promise<Verdict> {
  const project = join(folder, `${compiler}-${Object.keys(flags).length}.json`);
  const compilerOptions = {
    target: "es2024",
    lib: ["es2024"],
    module: "nodenext",
    types: [],
    noEmit: true,
    skipLibCheck: types.skipLibCheck,
    skipDefaultLibCheck: true,
    allowImportingTsExtensions: true,
    paths: { "@bearhug/sdk": [types.path] },
    ...flags,
  };
  const files = [join(folder, "refused.mts")];
  const folders = flags.lib?.includes("dom") === true ? ["types", "types/with-platform"] : ["types"];
  const include = folders.map((name) => join(sdk, "test", name, "*.ts"));
  await writeFile(project, JSON.stringify({ compilerOptions, files, include }));
  const tsc = join(dirname(require.resolve(`${compiler}/package.json`)), "bin/tsc");
  const printed = await new Promise<string>((resolve) => {
    const line = [tsc, "-p", project, "--pretty", "false", ...(oneThread[compiler] ?? [])];
    execFile(process.execPath, line, (_, stdout, stderr) => resolve(stdout + stderr));
  });
  const errors = printed.split("\n").filter((line) => /^\S/.test(line));
  return { unexpected: errors.filter((line) => !line.includes("refused.mts(")), printed };
}

// Compilers take seconds, and longer on a busy machine.
describe("with TypeScript", { timeout: 300_000 }, () => {
  test.for([
    ["typescript-5.9", "strictest", strictest],
    ["typescript", "strictest", strictest],
    ["typescript-7.0", "strictest", strictest],
    ["typescript-7.0", "merely strict, with the DOM's types", plainStrict],
  ] as const)(
    "%s, %s: valid tests compile, and the others are refused with a sentence",
    async ([compiler, , flags]) => {
      const { unexpected, printed } = await compile(compiler, flags);
      expect(unexpected).toEqual([]);
      for (const sentence of sentences) expect(printed).toContain(sentence);
    },
  );
});
