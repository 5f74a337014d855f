import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { readCommand } from "../../../report/test/github/runner.ts";
import { nodesOf, parseMarkdown, textOf } from "../../../report/test/markdown/parse-markdown.ts";
import { freePort } from "../free-port.ts";
import { appSource } from "./app.ts";
import { startEchoServer } from "../end-to-end/echo-server.ts";
import { runBearhug, temporaryFolder } from "../end-to-end/run-bearhug.ts";
import { artifactOf, pullRequestOf, pushTo } from "./payloads.ts";
import { startGithub, type GithubStub } from "./comments-api.ts";
import { checkOut, runAction, type Job, type JobEnd } from "./run-action.ts";

async function jobOf(
  github: GithubStub,
  files: Readonly<Record<string, string>>,
  inputs: Readonly<Record<string, string>> = {},
): Promise<Job> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  return {
    inputs: { test: "load/shop.ts", start: "node app.js", "wait-for": url, target: url, ...inputs },
    eventName: "pull_request",
    ref: "refs/pull/7/merge",
    payload: pullRequestOf(7),
    apiUrl: github.url,
    kept: new Map<string, string>(),
    workspace: checkOut({ "app.js": appSource, ...files }),
    environment: { PORT: String(port) },
  };
}

function testOf(thresholds: string, exec = `await http.get("/");`, name = "shop"): string {
  return `import { defineTest } from "@bearhug/sdk";
export default defineTest({
  name: ${JSON.stringify(name)},
  scenarios: { s: { executor: "shared-iterations", vus: 1, iterations: 20, exec: async ({ http, check, log }) => { ${exec} } } },
  thresholds: ${thresholds},
});
`;
}

function annotationsOf({ log }: JobEnd) {
  return log.split(/\r\n|\r|\n/).flatMap((line) => readCommand(line) ?? []);
}

const mergesParts = { test: "", start: "", target: "", "wait-for": "", merge: "part-*.bearhug" };
const passes = `{ http_reqs: ["count==20"] }`;
/** A name with everything that the runner, a shell, Markdown or YAML could interpret. */
const hostile =
  "::error file=x::a ##[error]b %0A::warning::c\r\n::set-output name=verdict::passed\n`x` | $(touch pwned) ${{ github.token }} </details><!-- @octocat #1 ](http://evil.example)";

// The action refuses to run on Windows.
describe.skipIf(process.platform === "win32")("the action", () => {
  test("starts the app, tests it, uploads the documented files, comments, and stops the app", async () => {
    const github = await startGithub();
    const job = await jobOf(github, { "load/shop.ts": testOf(passes) });
    const end = await runAction(job);
    expect([end.hasFailed, end.outputs], end.log).toMatchObject([
      false,
      { verdict: "passed", "exit-code": "0" },
    ]);
    expect(end.log).toContain("responds.");
    expect(existsSync(end.outputs["result"] ?? "")).toBe(true);
    const files = ["app.log", "junit.xml", "report.html", "report.md", "result.json"];
    expect(readdirSync(end.artifact).toSorted()).toEqual(files);
    expect(end.summary).toMatch(/^## ✅ bearhug: passed\n/);
    expect(github.comments.get(7)).toMatchObject([
      {
        user: { login: "github-actions[bot]" },
        body: expect.stringMatching(
          /^<!-- bearhug action: load-test -->\n\n## ✅ bearhug: passed\n/,
        ) as string,
      },
    ]);
    await expectNobodyListens(job);
  });

  test("updates its own comment among others, and nothing in a name is interpreted", async () => {
    const github = await startGithub();
    const marker = "<!-- bearhug action: load-test -->\n";
    const others = Array.from({ length: 120 }, (_, id) => ({ id, user: { login: "ann" }, body: "ship it" }));
    const bot = "github-actions[bot]";
    github.comments.set(7, [
      { id: 500, user: { login: "mallory" }, body: `${marker}mine` },
      { id: 501, user: { login: bot }, body: "<!-- bearhug action: load-test-2 -->\nanother use" },
      { id: 502, user: { login: bot }, body: `quoted: ${marker}` },
      ...others,
      { id: 503, user: { login: bot }, body: `${marker}old` },
    ]);
    const name = JSON.stringify(hostile);
    const exec = `await http.get("/", { name: ${name} }); check(1, { [${name}]: () => false }); log(${name}); console.log(${name});`;
    const path = "load/$(touch pwned) `touch pwned`.ts";
    const job = await jobOf(
      github,
      { [path]: testOf(`{ checks: ["rate>99%"] }`, exec, hostile.replaceAll(/[\r\n]/g, " ")) },
      { test: path, args: `--tag 'branch=$(touch pwned)::error::x' --tag "other=\`touch pwned\`"` },
    );
    const end = await runAction(job);
    expect(end.outcomes, end.log).toMatchObject({
      "Load test": "failure",
      "Comment on the pull request": "success",
    });
    expect(end.outputs, end.log).toMatchObject({ verdict: "failed", "exit-code": "99" });
    expect(annotationsOf(end)).toMatchObject([
      { command: "error", data: expect.stringMatching(/^checks: rate>99%/) as string },
    ]);
    expect(readdirSync(job.workspace).toSorted()).toEqual(["app.js", "load", "node_modules", "package.json"]);
    const after = github.comments.get(7) ?? [];
    const [changed, ...rest] = after.filter(({ body }) => body.includes("❌ bearhug: failed"));
    expect([changed?.id, rest, after.length]).toEqual([503, [], 124]);
    expect(github.requests.filter((one) => !one.startsWith("GET"))).toEqual([
      "PATCH /repos/octo/shop/issues/comments/503",
    ]);
    for (const markdown of [changed?.body ?? "", end.summary]) {
      const tree = parseMarkdown(markdown);
      // A run of more than a second has a section "Over time", too.
      const headings = nodesOf(tree, "heading").map(textOf);
      expect(headings.filter((heading) => heading !== "Over time")).toEqual([
        "❌ bearhug: failed",
        "Thresholds",
        "Checks",
        "Requests",
        "Load generator",
      ]);
      const own = [
        "<!-- bearhug action: load-test -->",
        "<details open><summary>Report</summary>",
        "</details>",
      ];
      expect(nodesOf(tree, "html").map(textOf)).toEqual(markdown === end.summary ? [] : own);
      expect(nodesOf(tree, "link").map(textOf)).toEqual(
        markdown === end.summary ? [] : ["Job summary and artifacts"],
      );
    }
  });

  test("compares with the baseline, which runs of the default branch create", async () => {
    const github = await startGithub();
    const target = await startEchoServer();
    const inputs = { target, start: "", "wait-for": "" };
    const files = { "load/shop.ts": testOf(passes) };
    const first = await jobOf(github, files, { ...inputs, baseline: "artifact" });
    const push = { eventName: "push", ref: "refs/heads/main", payload: pushTo("main") };
    const laid = await runAction({ ...first, ...push });
    expect([laid.hasFailed, laid.outputs["comparison"]], laid.log).toEqual([false, ""]);
    expect(annotationsOf(laid)).toMatchObject([
      { command: "notice", data: expect.stringMatching(/^There is no baseline yet/) as string },
    ]);
    expect(github.comments).toEqual(new Map());
    const baseline = first.kept.get("artifact load-test-baseline") ?? "";
    expect(readdirSync(baseline)).toEqual(["1.json"]);

    // A comparison of runs with 20 requests is always undecided.
    github.artifacts.push(artifactOf(77));
    const kept = new Map([["artifact 77", baseline]]);
    const compared = await runAction({ ...first, kept, inputs: { ...first.inputs, "fail-on": "undecided" } });
    expect(compared.outcomes, compared.log).toMatchObject({
      "Load test": "success",
      "Compare with the baseline": "failure",
    });
    expect(compared.outputs).toMatchObject({ verdict: "failed", "exit-code": "99", comparison: "undecided" });
    expect(
      new Set(
        annotationsOf(compared).map(({ command, properties }) => [command, properties["title"]].join(": ")),
      ),
    ).toEqual(new Set(["error: bearhug compare: undecided"]));
    const comment = github.comments.get(7)?.[0]?.body ?? "";
    const answer = "➖ bearhug compare: UNDECIDED";
    for (const [text, first] of [
      [compared.summary, "✅ bearhug: passed"],
      [comment, "❌ bearhug: failed by the comparison"],
    ] as const)
      expect(nodesOf(parseMarkdown(text), "heading").map(textOf)).toEqual(
        expect.arrayContaining([first, answer]),
      );
    expect(compared.summary).toContain("report/result.json against baseline/1.json");
    expect([...kept.keys()]).toEqual(["artifact 77", "artifact load-test"]);

    const changed = await jobOf(
      github,
      { "load/shop.ts": testOf(passes, `await http.get("/?new");`) },
      { ...inputs, baseline: "cache" },
    );
    changed.kept
      .set("cache bearhug/load-test/1-1", baseline)
      .set("cache bearhug/load-test-2/2-1", temporaryFolder());
    const anew = await runAction({ ...changed, ...push });
    expect([anew.hasFailed, anew.outputs["exit-code"]], anew.log).toEqual([false, "0"]);
    expect(annotationsOf(anew)).toMatchObject([
      { command: "warning", data: expect.stringMatching(/^This run cannot be compared/) as string },
    ]);
    expect(readdirSync(changed.kept.get("cache bearhug/load-test/4711-1") ?? "")).toEqual(["2.json"]);
  });

  test.each([
    ["another target", { "1.json": null }],
    ["a baseline that cannot be read", { "1.json": "{}" }],
  ])("fails if it cannot compare with the baseline because of %s", async (_, damage) => {
    const github = await startGithub();
    const [target, other] = [await startEchoServer(), await startEchoServer()];
    const inputs = { start: "", "wait-for": "", baseline: "cache" };
    const job = await jobOf(github, { "load/shop.ts": testOf(passes) }, { ...inputs, target });
    const push = { eventName: "push", ref: "refs/heads/main", payload: pushTo("main") };
    await runAction({ ...job, ...push });
    const baseline = job.kept.get("cache bearhug/load-test/4711-1") ?? "";
    for (const [name, text] of Object.entries(damage))
      if (text !== null) writeFileSync(join(baseline, name), text);
    const changed = { ...job, inputs: { ...job.inputs, target: other } };
    const end = await runAction(changed);
    expect(end.outcomes, end.log).toMatchObject({
      "Load test": "success",
      "Compare with the baseline": "failure",
    });
    expect(end.outputs).toMatchObject({ verdict: "errored", "exit-code": "104", comparison: "" });
    const heading = "❌ bearhug compare: not compared, exit code 104";
    expect(end.summary).toContain(heading);
    const [comment] = github.comments.get(7) ?? [];
    expect(
      nodesOf(parseMarkdown(comment?.body ?? ""), "heading")
        .map(textOf)
        .slice(0, 2),
    ).toEqual(["❌ bearhug: errored in the comparison, exit code 104", heading]);

    // Once it is merged, the next comparison is with the changed run alone.
    await runAction({ ...changed, ...push });
    expect(readdirSync(job.kept.get("cache bearhug/load-test/4711-1") ?? "")).toEqual(["2.json"]);
    expect(await runAction(changed)).toMatchObject({ hasFailed: false });
  });

  test("fails if the baseline cannot be looked up, and does not replace it", async () => {
    const github = await startGithub();
    const inputs = { target: await startEchoServer(), start: "", "wait-for": "", baseline: "artifact" };
    const job = await jobOf(github, { "load/shop.ts": testOf(passes) }, inputs);
    const closed = { apiUrl: `http://127.0.0.1:${await freePort()}` };
    const push = { eventName: "push", ref: "refs/heads/main", payload: pushTo("main") };
    const end = await runAction({ ...job, ...push, ...closed });
    expect(end.outcomes, end.log).toMatchObject({
      "Load test": "success",
      "Compare with the baseline": "failure",
    });
    expect(end.outputs).toMatchObject({ verdict: "errored", "exit-code": "104" });
    expect(annotationsOf(end)).toMatchObject([
      { command: "error", data: expect.stringMatching(/^The baseline could not be looked up/) as string },
    ]);
    expect(end.summary).toContain("❌ bearhug compare: not compared, exit code 104");
    expect([...job.kept.keys()]).toEqual(["artifact load-test"]);
  });

  test("reports an app that does not start, and executes no workflow command in its log", async () => {
    const github = await startGithub();
    const log = "::set-output name=pid::1\n::error::from the log\n##[error]old\n";
    const job = await jobOf(github, {
      "app.js": `process.stderr.write(${JSON.stringify(log)}); process.exit(3)`,
      "load/shop.ts": testOf(passes),
    });
    const end = await runAction(job);
    expect(end.outputs).toEqual({ verdict: "", "exit-code": "", result: "", comparison: "" });
    expect(end.outcomes).not.toHaveProperty("Load test");
    const [stop, ...others] = annotationsOf(end);
    const resumed = others.findIndex(({ command }) => command === stop?.data);
    expect(stop?.command).toBe("stop-commands");
    expect(others.slice(resumed + 1)).toMatchObject([
      { command: "error", data: "The command of `start` failed with exit code 3." },
    ]);
    expect(end.log).toContain(log);
    expect(github.comments.get(7)).toMatchObject([
      { body: expect.stringContaining("❌ bearhug: not run") as string },
    ]);
  });

  test("merges the recordings of shards, and comments on the merged run", async () => {
    const github = await startGithub();
    const job = await jobOf(github, { "load/shop.ts": testOf(passes) }, mergesParts);
    const target = await startEchoServer();
    for (const shard of ["1", "2"]) {
      const out = `recording=${join(job.workspace, `part-${shard}.bearhug`)}`;
      const flags = ["--target", target, "--workers", "1", "--shard", `${shard}/2`, "--out", out];
      const { exitCode, stdout } = await runBearhug(["run", join(job.workspace, "load/shop.ts"), ...flags]);
      expect(exitCode, stdout).toBe(0);
    }
    const end = await runAction(job);
    expect([end.hasFailed, end.outputs], end.log).toMatchObject([
      false,
      { verdict: "passed", "exit-code": "0", result: expect.stringMatching(/result\.json$/) as string },
    ]);
    expect(readdirSync(end.artifact)).toContain("report.html");
    for (const text of [end.summary, github.comments.get(7)?.[0]?.body])
      expect(text).toContain("merged from 2 shards");

    rmSync(join(job.workspace, "part-1.bearhug"));
    const partial = await runAction(job);
    expect(partial.outputs, partial.log).toMatchObject({ verdict: "errored", "exit-code": "104" });
    expect(annotationsOf(partial).map(({ data }) => data)).toEqual([
      expect.stringContaining("Shard 1 of 2 is missing") as string,
      expect.stringContaining("--allow-partial") as string,
    ]);
  });

  test("refuses to merge and to test at once", async () => {
    const job = await jobOf(await startGithub(), {}, { merge: "part-*.bearhug" });
    const end = await runAction(job);
    expect(end.outcomes).toEqual({ "Check the inputs": "failure" });
    expect(annotationsOf(end)).toMatchObject([
      { command: "error", data: expect.stringMatching(/^The input `merge` .* leave out `test`/) as string },
    ]);
  });

  test("fails if nothing was tested, because of its arguments", async () => {
    const github = await startGithub();
    const inputs = { target: await startEchoServer(), start: "", "wait-for": "", args: "--help" };
    const end = await runAction(await jobOf(github, { "load/shop.ts": testOf(passes) }, inputs));
    expect(end.outcomes, end.log).toMatchObject({ "Load test": "failure" });
    expect(annotationsOf(end)).toMatchObject([
      { command: "error", data: expect.stringMatching(/^bearhug wrote no result/) as string },
    ]);
  });

  test("reports that no shard left a recording", async () => {
    const end = await runAction(await jobOf(await startGithub(), {}, mergesParts));
    expect(annotationsOf(end)).toMatchObject([
      { command: "error", data: "No file matches the input `merge`: no shard left a recording." },
    ]);
    expect(end.outcomes).toMatchObject({ "Load test": "failure" });
  });

  test("writes no comment for a fork, and sends no request to GitHub", async () => {
    const github = await startGithub();
    const job = await jobOf(github, {}, { test: "load/none.ts", start: "", "wait-for": "" });
    const end = await runAction({ ...job, payload: pullRequestOf(7, { id: 2 }) });
    expect(end.outputs).toMatchObject({ verdict: "errored", "exit-code": "104" });
    expect(annotationsOf(end).map(({ command }) => command)).toEqual(["notice", "error"]);
    expect(end.summary).toContain("## ❌ bearhug: not run, exit code 104");
    expect(github.requests).toEqual([]);
  });

  test("does not test another server at the app's address, and names the permission that a comment needs", async () => {
    const github = await startGithub();
    github.refuseWrites = 403;
    const job = await jobOf(github, {}, { "wait-for": await startEchoServer() });
    const end = await runAction(job);
    expect(end.outcomes).toMatchObject({
      "Start what is under test": "failure",
      "Comment on the pull request": "success",
    });
    expect(annotationsOf(end)).toMatchObject([
      { command: "error", data: expect.stringMatching(/: something else runs there\.$/) as string },
      {
        command: "warning",
        data: expect.stringMatching(/403.*Give the job `permissions: pull-requests: write`\.$/) as string,
      },
    ]);
  });

  test("names all wrong inputs, and never runs on pull_request_target", async () => {
    const job = await jobOf(
      await startGithub(),
      {},
      {
        test: "",
        name: "a/b",
        comment: "yes",
        tolerance: "5",
        allow: "machine,x",
        "fail-on": "x",
        "wait-seconds": "a[$(touch pwned)]",
        "wait-for": "file:///etc/passwd",
        version: "file:../evil",
      },
    );
    const end = await runAction({ ...job, eventName: "pull_request_target" });
    expect(end.outcomes).toEqual({ "Check the inputs": "failure" });
    const named = annotationsOf(end).map(
      ({ data }) => /`([\w-]+)`|pull_request_target/.exec(data)?.slice(-1)[0],
    );
    expect(named).toEqual([
      undefined,
      "test",
      "name",
      "comment",
      "wait-seconds",
      "wait-for",
      "tolerance",
      "allow",
      "fail-on",
      "version",
    ]);
    expect(existsSync(join(job.workspace, "pwned"))).toBe(false);
  });
});

async function expectNobodyListens({ inputs }: Job): Promise<void> {
  await expect(fetch(inputs["target"] ?? "")).rejects.toThrow("fetch failed");
}
