import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { describeSize, explainCapture, SecretLeakError, writeTest } from "../../src/index.ts";
import { expectedPath, pairs } from "../pairs/pairs.ts";
import { atomOf, modelOf, requestOf, stepOf } from "./model-of.ts";

const fixed = [
  "shared-iterations",
  "http_req_failed",
  "iteration_failed",
  "defineTest",
  "@bearhug/sdk",
  "rate<1%",
  "statusIs",
  "from a capture",
  "page_duration",
];

const visit = stepOf([[requestOf("/login", { method: "POST", redirectedTo: [1], landsOn: "/account" })]], {
  recordedMs: 40,
});

test("words that are in every test do not count as leaks", async () => {
  const { source } = await writeTest({ model: modelOf([visit]), redacted: fixed });
  expect(source).toContain('http.post("/login")');
  for (const word of fixed) expect(source).toContain(word);
});

test("a leak is still omitted if such words are secrets, too", async () => {
  const leaking = stepOf([[requestOf("/x", { query: [atomOf("q", "hunter2-hunter2")] })]], { name: "x" });
  const model = modelOf([visit, leaking]);
  const { source } = await writeTest({ model, redacted: ["defineTest", "hunter2-hunter2"] });
  expect(source).not.toContain("hunter2");
  expect(source).toContain("// 1 request was omitted: it has a secret");
});

test("a word that all tests share never prevents a test from being written", async () => {
  const sources = pairs.map(({ name }) => readFileSync(expectedPath(name), "utf8"));
  const [words = [], ...others] = sources.map((source) => source.split(/[\s"]+/));
  const shared = words.filter((word) => word.length >= 6 && others.every((theirs) => theirs.includes(word)));
  expect(shared.length).toBeGreaterThan(5);
  const { source } = await writeTest({ model: modelOf([visit]), redacted: shared });
  expect(source).toContain("defineTest");
});

test("a thousand requests with a secret each are omitted in less than 5 s of CPU time", async () => {
  const secrets = Array.from({ length: 1_000 }, (_, index) => `hunter-${index * 7_919}-x`);
  const requests = secrets.map((secret) => requestOf("/x", { query: [atomOf("q", secret)] }));
  const model = modelOf([stepOf([[requestOf("/")], requests])]);
  const usage = process.cpuUsage();
  const { source } = await writeTest({ model, redacted: secrets }, { formatted: false });
  expect(source).toContain("// 1000 requests were omitted: they have secrets");
  expect(process.cpuUsage(usage).user).toBeLessThan(5_000_000);
});

test("a request that still contains a secret is omitted, and a comment says so", async () => {
  const model = modelOf([
    stepOf([[requestOf("/"), requestOf("/x", { query: [atomOf("q", "hunter2-hunter2")] })]]),
  ]);
  const { source, model: written } = await writeTest({ model, redacted: ["hunter2-hunter2"] });
  expect(source).not.toContain("hunter2");
  expect(source).toContain("// 1 request was omitted: it has a secret");
  expect(source).toMatch(/Omitted: GET https?:\/\/[\w.]+\/x\./);
  expect(source).toContain('await http.get("/")');
  expect(describeSize(written)).toContain("1 request kept, 1 skipped");
  expect(explainCapture(written)).toContain("has a secret that no variable can replace");
  expect(explainCapture(written)).not.toContain("hunter2");
});

test("names, notes and descriptions that still contain a secret are replaced", async () => {
  const secret = "hunter2-hunter2";
  const model = modelOf([stepOf([[requestOf("/", { hints: [secret] })]], { name: secret, recordedMs: 10 })], {
    notes: [secret],
    variables: [{ name: "KEY", description: `The header of ${secret}.`, isOptional: false }],
  });
  const { source, envExample } = await writeTest({ model, redacted: [secret] });
  expect(source + envExample).not.toContain("hunter2");
  expect(source).toContain('page("step 1"');
  expect(source).toContain('description: "A secret from the capture."');
});

test("a secret anywhere else is an error, and nothing is written", async () => {
  const variables = [{ name: "HUNTER2_HUNTER2", description: "", isOptional: false }];
  const model = modelOf([stepOf([[requestOf("/")]])], { variables });
  await expect(writeTest({ model, redacted: ["HUNTER2_HUNTER2"] })).rejects.toThrow(SecretLeakError);
});
