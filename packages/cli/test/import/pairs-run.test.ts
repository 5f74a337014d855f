import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

import { readCaptureFile } from "../../src/capture-file/read-capture-file.ts";
import { startMock } from "../../src/mock/start-mock.ts";
import { readResult, type Reported, runBearhug, temporaryFolder } from "../end-to-end/run-bearhug.ts";

/** The file to upload where a capture lacks a file's content. */
const anyFile = import.meta.filename;

const folder = fileURLToPath(new URL("../../../har-import/test/pairs/golden/", import.meta.url));
const names = readdirSync(folder)
  .filter((file) => file.endsWith(".har"))
  .map((file) => file.slice(0, -".har".length));

/**
 * Runs mostly wait, for a visitor's think time, so several go at once. Each has one visitor, without a worker
 * thread. At most four command processes are kept and reused.
 */
const atATime = 4;

test(
  "each capture's test passes every check against the mock of its capture, with dummy values for secrets",
  { timeout: 240_000 },
  async () => {
    const waiting = [...names];
    const outcomes = new Map<string, unknown>();
    const work = async (): Promise<void> => {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
        outcomes.set(name, outcomeOf(await runAgainstMock(name)));
      }
    };
    await Promise.all(Array.from({ length: atATime }, work));
    expect(Object.fromEntries(outcomes)).toEqual(Object.fromEntries(names.map((name) => [name, "passed"])));
  },
);

/** Returns "passed", or the reasons for a failure. Page times are ignored: they need a quiet machine. */
function outcomeOf({ stdout, stderr, result }: Reported): unknown {
  const { checks, errors, thresholds } = result;
  const failed = [
    ...checks.filter(({ fails }) => fails > 0).map(({ name, page }) => `${page ?? ""}: ${name}`),
    ...thresholds
      .filter(({ metric, passed }) => passed === false && !metric.startsWith("page_duration"))
      .map(({ metric }) => metric),
    ...errors.map(({ message }) => message),
  ];
  return failed.length === 0 && checks.length > 0 ? "passed" : { failed, stdout, stderr };
}

async function runAgainstMock(name: string): Promise<Reported> {
  const mock = await startMock(await readCaptureFile(join(folder, `${name}.har`)));
  const out = join(temporaryFolder(), "result.json");
  const file = join(folder, `${name}.expected.ts`);
  try {
    const values = variablesOf(name).flatMap((variable) => [
      "--env",
      `${variable}=${variable.endsWith("_FILE") ? anyFile : "dummy"}`,
    ]);
    const load = name === "pages-per-second" ? ["--duration", "2s"] : [];
    const ended = await runBearhug([
      "run",
      file,
      "--target",
      mock.url,
      "--workers",
      "0",
      "--quiet",
      "--out",
      `json=${out}`,
      ...values,
      ...load,
    ]);
    return { ...ended, result: readResult(out, ended) };
  } finally {
    await mock.close();
  }
}

function variablesOf(name: string): string[] {
  if (!readdirSync(folder).includes(`${name}.expected.env`)) return [];
  const example = readFileSync(join(folder, `${name}.expected.env`), "utf8");
  return [...example.matchAll(/^(\w+)=$/gm)].map(([, variable = ""]) => variable);
}
