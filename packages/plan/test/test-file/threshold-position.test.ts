import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { describe, expect, onTestFinished, test } from "vitest";

import { bundleTest } from "../../src/test-file/bundle.ts";
import { SourceLines } from "../../src/test-file/source-lines.ts";
import { parsesOf } from "../../src/test-file/test-syntax.ts";
import { createThresholdFinder } from "../../src/test-file/threshold-position.ts";
import { temporaryFolder } from "../../../cli/test/end-to-end/run-bearhug.ts";

type Find = (key: string, expression: string) => string | null;

/** Returns a function that finds thresholds, as `file:line:column` from the test's folder. */
async function finderOf(source: string, others: Readonly<Record<string, string>> = {}): Promise<Find> {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries({ ...others, "test.ts": source })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const bundle = await bundleTest(join(folder, "test.ts"));
  onTestFinished(() => {
    bundle.remove();
  });
  const parses = parsesOf(() => readFileSync(bundle.path, "utf8"));
  const find = createThresholdFinder(parses, new SourceLines(bundle.path));
  return (key, expression) => {
    const found = find(key, expression);
    if (found === null) return null;
    expect(found.file.startsWith(folder)).toBe(true);
    return `${found.file.slice(folder.length + 1)}:${found.line}:${found.column}`;
  };
}

describe("a threshold is found where its expression is written", () => {
  test("however key and expression are quoted, behind types and comments", async () => {
    const find = await finderOf(`// thresholds: { http_req_failed: ["rate<1%"] }
interface Unused { http_req_failed: ["rate<1%"] }
const metrics = { http_req_duration: "a trend" };
export default {
  metrics,
  name: 'http_req_failed "rate<1%"',
  thresholds: {
    http_req_failed: ["rate<1%"] as const,
    'http_req_duration{page:home}': [
      "p(95)<500ms",
      { threshold: \`p(99)<1s\`, abortOnFail: true },
    ],
    http_req_duration: ["p(95)<500ms"],
    "checks{check:\\u0061 b}": ["rate>9\\x39%"],
  },
};`);
    expect(find("http_req_failed", "rate<1%")).toBe("test.ts:8:23");
    expect(find("http_req_duration{page:home}", "p(95)<500ms")).toBe("test.ts:10:7");
    expect(find("http_req_duration{page:home}", "p(99)<1s")).toBe("test.ts:11:20");
    expect(find("http_req_duration", "p(95)<500ms")).toBe("test.ts:13:25");
    expect(find("checks{check:a b}", "rate>99%")).toBe("test.ts:14:32");
  });

  test("in a constant, in a function of variables, and in another file", async () => {
    const find = await finderOf(
      `import { limits } from "./limits/api.ts";
const own = { checks: ["rate>99%"] };
export default {
  thresholds: ({ env }) => ({
    ...limits, ...own,
    http_req_duration: env.STAGE === "prod" ? ["p(95)<500ms"] : ["p(95)<2s"],
  }),
};`,
      { "limits/api.ts": `\nexport const limits = {\n  http_req_failed: ["rate<1%"],\n};` },
    );
    expect(find("checks", "rate>99%")).toBe("test.ts:2:24");
    expect(find("http_req_duration", "p(95)<2s")).toBe("test.ts:6:66");
    expect(find("http_req_failed", "rate<1%")).toBe("limits/api.ts:3:21");
  });

  test("in a package, between texts that look like the beginning of a module", async () => {
    const find = await finderOf(
      `import { limits } from "acme";
const before = \`
// a/node_modules/b/\${Math.random()}.js
\`;
const own = { checks: ["rate>99%"] };
const after = \`\${before}
// c.js
\`;
export default { name: after, thresholds: { ...limits, ...own } };`,
      { "node_modules/acme/index.js": `export const limits = {\n  http_req_failed: ["rate<1%"],\n};` },
    );
    expect(find("checks", "rate>99%")).toBe("test.ts:5:24");
    expect(find("http_req_failed", "rate<1%")).toBe("node_modules/acme/index.js:2:21");
  });
});

test("a threshold of the command line is not found at the test's own of the same metric", async () => {
  const find = await finderOf(`export default { thresholds: {
  http_req_duration: ["p(95)<500ms", { threshold: "p(99)<1s", abortOnFail: true }],
  http_req_failed: "rate<1%",
} };`);
  expect(find("http_req_duration", "p(95)<1ms")).toBeNull();
  expect(find("http_req_failed", "rate<2%")).toBeNull();
  expect(find("http_req_duration", "p(99)<1s")).toBe("test.ts:2:51");
});

describe("a threshold that the test puts together", () => {
  test("is found at its metric's key", async () => {
    const find = await finderOf(`const limit = process.env.LIMIT;
const list = ["max<1s"];
export default {
  metrics: { basket: 1 },
  thresholds: {
    http_req_duration: [\`p(95)<\${limit}ms\`],
    basket: list,
  },
};`);
    expect(find("http_req_duration", "p(95)<500ms")).toBe("test.ts:6:5");
    expect(find("basket", "max<1s")).toBe("test.ts:7:5");
  });

  test("is not found if its key is computed, or written in several places", async () => {
    const find = await finderOf(`const name = "a" + Math.random();
export default {
  checks: [],
  thresholds: Math.random() < 2
    ? { [name]: ["rate<1%"], http_reqs: [String(1)] }
    : { http_reqs: [String(2)] },
};`);
    expect(find("http_reqs", "count>1")).toBeNull();
    expect(find("checks", "rate<1%")).toBeNull();
    expect(find("a0.5", "rate<1%")).toBeNull();
  });
});
