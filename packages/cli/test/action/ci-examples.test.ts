import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";

import { root } from "../../../../tools/workspace.mjs";
import { temporaryFolder } from "../end-to-end/run-bearhug.ts";
import { freePort } from "../free-port.ts";
import { appSource } from "./app.ts";
import { checkOut } from "./run-action.ts";

const script = readFileSync(join(root, "examples/shell/gate.sh"), "utf8");

describe.skipIf(process.platform === "win32")("the shell script of the examples", () => {
  test("starts the app, tests it, exits with bearhug's exit code, and stops the app", async () => {
    const port = String(await freePort());
    const workspace = checkOut({
      "app.js": appSource,
      "package.json": JSON.stringify({ private: true, scripts: { start: "node app.js" } }),
      "load/.keep": "",
    });
    copyFileSync(join(root, "examples/first-test.ts"), join(workspace, "load/shop.load.ts"));
    const files = temporaryFolder();
    const inherited = Object.entries(process.env).filter(([name]) => !/^(?:BEARHUG|GITHUB|npm)_/i.test(name));
    const child = spawn("bash", [join(root, "examples/shell/gate.sh")], {
      cwd: workspace,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...Object.fromEntries(inherited),
        PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter),
        PORT: port,
        BEARHUG_DURATION: "1s",
        BEARHUG_THRESHOLD: "http_reqs: count<1",
        // Other tests run at the same time.
        BEARHUG_ALLOW_SATURATED: "true",
        npm_config_offline: "true",
        npm_config_cache: join(files, "npm"),
        XDG_CACHE_HOME: join(files, "cache"),
      },
    });
    onTestFinished(() => void child.kill("SIGTERM"));
    let log = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (log += text));
    await once(child, "close");
    expect(child.exitCode, log).toBe(99);
    for (const file of ["result.json", "report.html", "junit.xml"])
      expect([file, existsSync(join(workspace, "load-result", file))]).toEqual([file, true]);
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow("fetch failed");
  });
});

test("the GitLab job of the examples runs the same command, and keeps its files as artifacts", () => {
  const job = z.object({
    script: z.array(z.string()),
    artifacts: z.object({
      when: z.literal("always"),
      paths: z.array(z.string()),
      reports: z.object({ junit: z.string() }),
    }),
  });
  const text = readFileSync(join(root, "examples/gitlab/.gitlab-ci.yml"), "utf8");
  const { script: lines, artifacts } = z.object({ "load test": job }).parse(parse(text))["load test"];
  const commandOf = (all: string): string => {
    const [found = ""] = /^npx bearhug (?:.|\n)+$/m.exec(all.replaceAll(/\\\n */g, "")) ?? [];
    return found.trim().replaceAll(`"http://127.0.0.1:$PORT"`, `"$url"`);
  };
  expect(commandOf(lines.at(-1) ?? "")).toBe(commandOf(script));
  expect(artifacts).toMatchObject({
    paths: ["load-result/", "app.log"],
    reports: { junit: "load-result/junit.xml" },
  });
});
