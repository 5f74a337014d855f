import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { aggregationNames, unitNames } from "@bearhug/metrics/thresholds/threshold-language";
import { monitorKinds } from "@bearhug/plan/monitors/monitor-kinds";
import { executorNames, phaseNames, requestPhases } from "@bearhug/sdk/internal";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../../../..");
const page = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");

/**
 * The places that a path of the page may mean: in the repository, in the package it starts with, or in the
 * importer.
 */
const meanings: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => path.replace(/^([^/]+)\//, "packages/$1/src/"),
  (path) => `packages/har-import/src/${path}`,
];

/** Returns the paths in a text, as written. */
function pathsIn(text: string): string[] {
  const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = ""]) => span);
  return spans.filter((span) => /^[\w.<>/-]+$/.test(span) && /\/|\.(?:ts|js|mjs|md)$/.test(span));
}

/**
 * Returns the existing places of the repository that a path of the page may mean; exactly one for a valid
 * path.
 */
function placesOf(path: string): string[] {
  const places = new Set(meanings.map((meant) => meant(path)));
  return [...places].filter((place) => existsSync(join(root, place)));
}

/** The entries of the page's last list, each a kind of change, by name. */
const changes = new Map(
  page
    .slice(page.indexOf("\n## To add an X, go to Y\n"))
    .split(/^- /m)
    .slice(1)
    .map((entry) => [/^\*\*(.*?)\*\*/.exec(entry)?.[1] ?? "", entry.replaceAll(/\s+/g, " ")]),
);

/** Returns the places that a change always or mostly needs. `name` stands for `<name>` in their paths. */
function placesToChange(change: string, name = ""): string[] {
  const [needed = ""] = (changes.get(change) ?? "").split(" Also,");
  return placesIn(needed, name);
}

function placesIn(entry: string, name = ""): string[] {
  return pathsIn(entry).flatMap((path) => placesOf(path.replace("<name>", name)));
}

/** The code of every source file, without comments, by its path. */
const sources = new Map(
  globSync("packages/*/src/**/*.ts", { cwd: root })
    .map((path) => path.replaceAll("\\", "/"))
    .toSorted()
    .map((path) => {
      const code = readFileSync(join(root, path), "utf8");
      return [path, code.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "")] as const;
    }),
);

/** Returns the files that contain all of the words, which must not contain special characters of patterns. */
function filesWithAll(words: readonly string[], pattern = wholeWord): string[] {
  const patterns = words.map(pattern);
  return [...sources].filter(([, code]) => patterns.every((one) => one.test(code))).map(([path]) => path);
}

function filesWithAny(words: readonly string[]): string[] {
  return [...new Set(words.flatMap((word) => filesWithAll([word])))].toSorted();
}

function wholeWord(word: string): RegExp {
  return new RegExp(String.raw`(?<![\w-])${word}(?![\w-])`);
}

/** Matches a name in quotes, as a property or as a module: `"med"`, `med: …`, `"./med.ts"`. */
function asName(name: string): RegExp {
  return new RegExp(String.raw`["'/]${name}(?:["']|\.ts")|(?<![\w.$])${name}\??:`);
}

function camelCase(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Expects that these are exactly the files that a change lists; a folder stands for the files in it. */
function expectListed(files: readonly string[], places: readonly string[]): void {
  const isOf = (file: string, place: string): boolean =>
    file === place || (place.endsWith("/") && file.startsWith(place));
  expect({
    unlisted: files.filter((file) => !places.some((place) => isOf(file, place))),
    needless: places.filter((place) => !files.some((file) => isOf(file, place))),
  }).toEqual({ unlisted: [], needless: [] });
}

describe("ARCHITECTURE.md", () => {
  test("is short enough to be read: at most 12 kB", () => {
    expect(Buffer.byteLength(page)).toBeLessThanOrEqual(12_000);
  });

  test("names only paths that exist", () => {
    const paths = pathsIn(page).filter((path) => !path.includes("<name>"));
    expect(paths.length).toBeGreaterThan(100);
    expect(paths.filter((path) => placesOf(path).length !== 1)).toEqual([]);
  });

  test("names every package", () => {
    const packages = globSync("packages/*/", { cwd: root }).map((folder) => folder.replaceAll("\\", "/"));
    expect(packages.length).toBeGreaterThan(10);
    expect(packages.filter((folder) => !page.includes(`\`${folder.replace(/\/$/, "")}\``))).toEqual([]);
  });

  test("names every folder of the command", () => {
    const folders = foldersOf("cli", ["*/", "cluster/*/"]).filter((folder) => folder !== "cluster/");
    expect(folders.length).toBeGreaterThan(10);
    expect(folders.filter((folder) => !page.includes(`\`cli/${folder}\``))).toEqual([]);
  });
});

test("CONTRIBUTING.md names only paths that exist where it says how to add something", () => {
  const guide = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
  const paths = pathsIn(guide.slice(guide.indexOf("\n## Adding…\n"))).filter((path) => path.includes("/"));
  expect(paths.length).toBeGreaterThan(10);
  expect(paths.filter((path) => placesOf(path).length !== 1)).toEqual([]);
});

test.each(["text", "metrics", "plan", "http", "engine", "report"])(
  "the README of %s lists its folders",
  (name) => {
    const readme = readFileSync(join(root, "packages", name, "README.md"), "utf8");
    const named = [...readme.matchAll(/^\| `(.*?)`/gm)].map(([, folder]) => folder);
    expect(named.toSorted()).toEqual(foldersOf(name, ["*/"]).toSorted());
  },
);

/** Returns the folders of a package's sources, each with a trailing slash. */
function foldersOf(name: string, patterns: readonly string[]): string[] {
  const found = globSync(patterns, { cwd: join(root, "packages", name, "src") });
  return found.map((folder) => `${folder.replaceAll("\\", "/").replace(/\/$/, "")}/`);
}

describe("the places that ARCHITECTURE.md lists for a change are those in the code", () => {
  test("of an output format: its row and its function", () => {
    expectListed(filesWithAny(["hlog", "renderIntervalLog"]), placesToChange("An output format"));
  });

  test.each(executorNames)("of an executor: %s", (name) => {
    const places = placesToChange("An executor", name);
    const own = places.filter((place) => place.endsWith(`/${name}.ts`));
    // Authors import the type of its options by its name.
    const door = "packages/sdk/src/index.ts";
    const identifier = camelCase(name);
    const type = identifier.replace(/^./, (letter) => letter.toUpperCase());
    expect(places).toHaveLength(5);
    expectListed(filesWithAny([identifier, type, `Validated${type}`]), places);
    expectListed([...own, door, ...filesWithAll(executorNames, asName)], places);
  });

  test("of a header that is sent: its function and the callers", () => {
    expectListed(filesWithAny(["originHeader"]), placesToChange("A header that is sent"));
  });

  test("of an aggregation: the files that name all aggregations", () => {
    const names = aggregationNames.filter((name) => name !== "percentile");
    const needed = placesToChange("A threshold's aggregation");
    const listed = placesIn(changes.get("A threshold's aggregation") ?? "");
    expect(needed).toHaveLength(2);
    expect(filesWithAll(names, asName)).toEqual(expect.arrayContaining(needed));
    // A new aggregation need not appear in tables and results; these do.
    const placed = ["count", "rate", "value", "avg", "min", "max", "med"];
    expectListed(filesWithAll(placed, asName), listed);
  });

  test("of a unit of thresholds: the files that name all units", () => {
    expectListed(filesWithAll(unitNames, asName), placesToChange("A threshold's unit"));
  });

  test.each([
    "DNS_NOT_FOUND",
    "CONNECTION_RESET",
    "PROXY_REFUSED",
    "TLS_CERT_EXPIRED",
    "H2_GOAWAY",
    "TOO_MANY_OPEN_FILES",
    "UPGRADE_REFUSED",
    "H2_PING_TIMEOUT",
    "HOST_UNREACHABLE",
  ])("of an error code: %s", (code) => {
    const files = filesWithAny([code]);
    expect(files).toHaveLength(2);
    expectListed(files, placesToChange("An error code"));
  });

  test("of a flag of run: the files that name one", () => {
    expectListed(filesWithAny(["maxData"]), placesToChange("A flag of `run`"));
  });

  test("of a column of the summary: the table that has it", () => {
    const files = filesWithAll(["unfinished"], (title) => new RegExp(String.raw`number\("${title}"`));
    expectListed(files, placesToChange("A column of the summary"));
  });

  test("of a HAR filter: the files that name its flag", () => {
    expectListed(filesWithAny(["--static"]), placesToChange("A HAR filter"));
  });

  test("of a kind of monitor: the files that name all kinds, those in the folder of one, and its importers", () => {
    const names = Object.keys(monitorKinds);
    const isOfMonitors = (path: string): boolean => /^packages\/(plan|engine)\/src\/monitors\//.test(path);
    const importers = [...sources].filter(
      ([path, code]) => isOfMonitors(path) && /"(?:\.|@bearhug\/plan\/monitors)\/process\//.test(code),
    );
    const own = [...sources.keys()].filter(
      (path) => isOfMonitors(path) && path.includes("/monitors/process/"),
    );
    const files = [...filesWithAll(names, asName), ...importers.map(([path]) => path), ...own];
    expectListed(files, placesToChange("A monitor"));
  });

  test("of a metric of the HTTP client: the files that name one", () => {
    expectListed(filesWithAny(["tls_handshakes"]), placesToChange("A metric of the HTTP client"));
  });

  test("of a phase of a request: the files that name all phases or all their metrics", () => {
    const metrics = phaseNames.map((phase) => requestPhases[phase].metric);
    const files = [...filesWithAll(phaseNames, asName), ...filesWithAll(metrics, asName)];
    expectListed(files, placesToChange("A phase of a request"));
  });

  test("are all tested here: no other change is listed", () => {
    expect([...changes.keys()]).toEqual([
      "An output format",
      "An executor",
      "A header that is sent",
      "A threshold's aggregation",
      "A threshold's unit",
      "An error code",
      "A flag of `run`",
      "A column of the summary",
      "A HAR filter",
      "A monitor",
      "A metric of the HTTP client",
      "A phase of a request",
    ]);
  });
});
