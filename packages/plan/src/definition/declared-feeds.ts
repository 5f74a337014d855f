import type { Path, ProblemCollector } from "@bearhug/sdk/internal";
import { suggestName } from "@bearhug/text/closest-name";
import { showValue } from "@bearhug/text/describe-issue";
import { feedOptionsSchema, type ValidatedFeed } from "./feed-options.ts";
import { textProblem } from "../validation/name-rules.ts";

const formats = ["csv", "json", "ndjson", "rows"] as const;

/** Reads the valid feeds of a test, without their rows. */
export function readFeeds(
  value: unknown,
  scenarioNames: readonly string[],
  collector: ProblemCollector,
): ValidatedFeed[] {
  return (collector.entriesOf(value ?? {}, ["feeds"]) ?? []).flatMap(([name, declared]) => {
    const path = ["feeds", name];
    const nameProblem = textProblem(name);
    if (nameProblem !== undefined) collector.add(path, `has a name that ${nameProblem}`);
    const feed = readFeed(name, declared, path, collector);
    if (feed === null) return [];
    checkScenarios(feed, scenarioNames, path, collector);
    return [feed];
  });
}

function readFeed(
  name: string,
  declared: unknown,
  path: Path,
  collector: ProblemCollector,
): ValidatedFeed | null {
  const { format, from, options } = partsOf(declared);
  const known = formats.find((one) => one === format);
  if (known === undefined) {
    const wanted = "must be an array of rows, or what csv, json, ndjson or rows returns";
    collector.add(path, `${wanted}, but is ${showValue(declared)}`);
    return null;
  }
  if (known === "rows" && !Array.isArray(from)) {
    collector.add(path, `must have an array of rows, but has ${showValue(from)}`);
    return null;
  }
  if (known !== "rows" && !isFile(from)) {
    collector.add(path, `must name a file: a path or a URL of file:, but has ${showValue(from)}`);
    return null;
  }
  const read = collector.read(feedOptionsSchema(known), options, path);
  return read === undefined ? null : { name, format: known, ...read };
}

function partsOf(declared: unknown): { format: unknown; from: unknown; options: unknown } {
  if (Array.isArray(declared)) return { format: "rows", from: declared, options: {} };
  const parts = new Map<string, unknown>(
    typeof declared === "object" && declared !== null ? Object.entries(declared) : [],
  );
  return { format: parts.get("format"), from: parts.get("from"), options: parts.get("options") };
}

function isFile(from: unknown): boolean {
  if (typeof from === "string") return from !== "";
  if (typeof from !== "object" || from === null) return false;
  const href: unknown = Reflect.get(from, "href");
  return typeof href === "string" && href.startsWith("file:");
}

function checkScenarios(
  { scenarios, atEnd }: ValidatedFeed,
  scenarioNames: readonly string[],
  path: Path,
  collector: ProblemCollector,
): void {
  for (const [index, name] of (scenarios ?? []).entries()) {
    if (scenarioNames.includes(name)) continue;
    const suggestion = suggestName(name, scenarioNames, `it has ${scenarioNames.join(", ")}`);
    collector.add([...path, "scenarios", index], `is not a scenario of the test${suggestion}`);
  }
  if (atEnd === "stop" && scenarios === null && scenarioNames.length > 1) {
    const example = `scenarios: [${JSON.stringify(scenarioNames[0])}]`;
    collector.add(
      [...path, "atEnd"],
      `ends scenarios, and the test has several: name those that use the feed, such as ${example}`,
    );
  }
}
