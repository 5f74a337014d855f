import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

import { runBearhug, temporaryFolder } from "../../end-to-end/run-bearhug.ts";
import { severalAtOnce } from "../several-at-once.ts";
import { type Accounts, classify, type Classified } from "./classify.ts";
import { findFreshValues } from "./fresh-values.ts";
import { readOmitted } from "./omitted.ts";
import { readExchanges } from "./recorded-exchange.ts";
import { openRecordedSite } from "./recorded-site.ts";

/** The fate of each entry of a capture, and how the run ended. */
export interface Account extends Accounts {
  readonly name: string;
  readonly ended: string;
}

/**
 * Imports a capture, runs one iteration against a site that responds as recorded, and accounts for each
 * entry.
 */
async function accountFor(name: string, capture: string): Promise<Account> {
  const folder = temporaryFolder();
  const file = join(folder, "imported.load.ts");
  const imported = await runBearhug(["import", capture, "-o", file, "--explain"]);
  if (imported.exitCode !== 0) throw new Error(`${name} cannot be imported: ${imported.stderr}`);
  const given = giveVariables(folder);
  const exchanges = readExchanges(capture);
  const fresh = findFreshValues(exchanges);
  const site = await openRecordedSite(exchanges, fresh);
  try {
    const load = ["--vus", "1", "--iterations", "1", "--workers", "0", "--quiet"];
    const variables = ["--env-from", join(folder, ".env")];
    const ran = await runBearhug(["run", withoutPauses(folder), "--target", site.url, ...load, ...variables]);
    const omitted = readOmitted(imported.stdout);
    const { received } = site;
    const accounts = classify({ exchanges, received, omitted, fresh, given, sent: site.sent() });
    const [verdict = ""] = ran.stdout.split("\n", 1);
    return { ...accounts, name, ended: [verdict, ran.stderr].join("\n") };
  } finally {
    await site.close();
  }
}

/** Accounts for several captures, a few at a time, since a run mostly waits. */
export async function accountForAll(captures: Readonly<Record<string, string>>): Promise<readonly Account[]> {
  const accounts = new Map<string, Account>();
  const names = Object.keys(captures);
  const outcomes = await severalAtOnce(names, atATime, async (name) => {
    accounts.set(name, await accountFor(name, captures[name] ?? ""));
  });
  const failed = Object.values(outcomes).filter((outcome) => outcome !== "passed");
  if (failed.length > 0) throw new Error(failed.join("\n"));
  return names.flatMap((name) => accounts.get(name) ?? []);
}

const atATime = 3;

/** Returns the path of each capture in a folder of the importer's tests, by name. */
export function capturesIn(folder: "fixtures/field" | "pairs/golden"): Readonly<Record<string, string>> {
  const path = join(import.meta.dirname, "../../../../har-import/test", folder);
  const names = readdirSync(path).filter((name) => name.endsWith(".har"));
  return Object.fromEntries(names.map((name) => [basename(name, ".har"), join(path, name)]));
}

/** Gives each variable of the test a value that can be recognized in the requests. */
function giveVariables(folder: string): ReadonlyMap<string, string> {
  const example = join(folder, ".env.example");
  const given = new Map<string, string>();
  const lines: string[] = [];
  for (const section of existsSync(example) ? readFileSync(example, "utf8").split("\n\n") : []) {
    const name = /^(\w+)=/m.exec(section)?.[1];
    if (name === undefined) continue;
    // No value is a part of another, and each is a valid number.
    const value = String(firstGiven + given.size);
    given.set(name, value);
    const isFile = section.includes("path of a file");
    const path = join(folder, value);
    if (isFile) writeFileSync(path, value);
    lines.push(`${name}=${isFile ? path : value}`);
  }
  writeFileSync(join(folder, ".env"), `${lines.join("\n")}\n`);
  return given;
}

const firstGiven = 810_000_000_000;

/**
 * Writes a variant of the imported test without pauses: the oracle looks at requests, not at their timing.
 */
function withoutPauses(folder: string): string {
  const path = join(folder, "without-pauses.load.ts");
  writeFileSync(
    path,
    `import { defineTest } from "@bearhug/sdk";
import visit from "./imported.load.ts";

const { visitors } = visit.scenarios;
const pause = async () => {};
const exec = (context) =>
  visitors.exec(
    new Proxy(context, {
      get: (target, name) => (name === "think" || name === "sleep" ? pause : Reflect.get(target, name)),
    }),
  );
export default defineTest({ ...visit, thresholds: {}, scenarios: { visitors: { ...visitors, exec } } });
`,
  );
  return path;
}

/** Describes everything in no class, with its capture and entry. */
export function unexplained({ name, classified, inNoClass, ended }: Account): string[] {
  const problems = [
    ...classified.flatMap((one, index) =>
      one.kind === "unexplained" ? [`${name}: entry ${index}: ${one.why}`] : [],
    ),
    ...inNoClass.map((line) => `${name}: ${line}`),
  ];
  return problems.length === 0 ? [] : [...problems, `${name}: the run ended so: ${ended}`];
}

const kinds = ["equal", "values", "omitted", "unexplained"] as const;

/** Renders a Markdown table with a row for each capture: the number of its entries in each class. */
export function renderAccounts(accounts: readonly Account[]): string {
  const rows = accounts.map(({ name, classified }) => [
    name,
    String(classified.length),
    ...kinds.map((kind) => String(classified.filter((one) => one.kind === kind).length)),
    originsOf(classified),
  ]);
  const titles = [
    "capture",
    "entries",
    "byte for byte",
    "but for values",
    "left out",
    "unexplained",
    "values",
  ];
  return [titles, titles.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Counts values by their origin: `2 correlated, 1 PASSWORD`. */
function originsOf(classified: readonly Classified[]): string {
  const origins = classified.flatMap((one) =>
    one.kind === "values" ? one.places.map((place) => place.split(": ").at(-1) ?? "") : [],
  );
  return Array.from(
    Map.groupBy(origins, (origin) => origin),
    ([origin, all]) => `${all.length} ${origin}`,
  ).join(", ");
}
