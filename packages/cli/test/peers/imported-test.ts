import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { type Reported, runBearhug, runForResult, temporaryFolder } from "../end-to-end/run-bearhug.ts";
import { type Application, type Place, sourcesOf } from "./application.ts";

/** A test as `record` wrote it. */
export interface ImportedTest {
  readonly file: string;
  readonly source: string;
  /** The path of the variables that `--with-values` wrote. */
  readonly variables: string;
}

/** Records a visit by the flow with this name, and imports it. */
export async function recordVisit(
  application: Application,
  { url }: Place,
  { flow = "flow.ts", path = "/" }: { readonly flow?: string; readonly path?: string } = {},
): Promise<ImportedTest> {
  const folder = temporaryFolder();
  const file = join(folder, "visit.load.ts");
  const script = join(sourcesOf(application), flow);
  const output = ["--output", file, "--with-values", "--yes"];
  const ended = await runBearhug(
    [
      "record",
      url + path,
      "--headless",
      "--script",
      script,
      ...output,
      ...(url.startsWith("https:") ? ["--browser", writeTrustingBrowser(folder)] : []),
    ],
    // From here the script finds Playwright.
    import.meta.dirname,
  );
  if (ended.exitCode !== 0) throw new Error(ended.stderr);
  return { file, source: readFileSync(file, "utf8"), variables: join(folder, ".env") };
}

/** Writes a command that starts Chromium and accepts the certificate of a test. */
function writeTrustingBrowser(folder: string): string {
  const path = join(folder, "chromium");
  writeFileSync(path, '#!/bin/sh\nexec chromium --ignore-certificate-errors "$@"\n');
  chmodSync(path, 0o755);
  return path;
}

/** Writes the same test for visitors who keep their cookies, and so stay logged in. Returns its path. */
export function keepingCookies({ file }: ImportedTest): string {
  const path = join(temporaryFolder(), "kept.load.ts");
  writeFileSync(
    path,
    `import { defineTest } from "@bearhug/sdk";
import visit from ${JSON.stringify(file)};
export default defineTest({ ...visit, http: { ...visit.http, cookies: "vu" } });
`,
  );
  return path;
}

export interface Load {
  readonly file?: string;
  readonly target?: string;
  readonly users?: number;
  readonly iterations?: number;
  readonly variables?: Readonly<Record<string, string>>;
}

export function run(
  imported: ImportedTest,
  { file = imported.file, target, users = 1, iterations = 1, variables = {} }: Load = {},
): Promise<Reported> {
  const load = ["--vus", String(users), "--iterations", String(iterations)];
  return runForResult([
    "run",
    file,
    "--env-from",
    imported.variables,
    "--insecure",
    ...load,
    ...(target === undefined ? [] : ["--target", target]),
    ...Object.entries(variables).flatMap(([name, value]) => ["--env", `${name}=${value}`]),
  ]);
}

/** Returns everything that a healthy application must not show. Ignores times: the machine is shared. */
export function redIn({ result, stdout }: Reported): readonly string[] {
  return [
    ...result.checks.filter(({ fails }) => fails > 0).map(({ page, name }) => `check ${page ?? ""}: ${name}`),
    ...result.thresholds
      .filter(({ metric, passed }) => passed !== true && !metric.includes("duration"))
      .map(({ metric, actual }) => `threshold ${metric}: ${actual ?? "no sample"}`),
    ...result.errors.map(({ name, message }) => `error in ${name}: ${message}`),
    ...(result.accounting.iterations.completed === result.accounting.iterations.scheduled
      ? []
      : [`iterations: ${stdout}`]),
  ];
}

/** Returns how many requests with such a name the application accepted. */
export function succeeded({ result }: Reported, name: RegExp): number {
  return result.accounting.requests
    .filter((request) => name.test(request.name))
    .reduce((sum, request) => sum + request.succeeded, 0);
}

/** Returns the first lines of the report, without line breaks. */
export const firstLines = ({ stdout }: Reported): string =>
  stdout.split("\n").slice(0, 12).join(" ").replaceAll(/\s+/g, " ");
