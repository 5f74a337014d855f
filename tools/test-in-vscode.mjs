// node tools/test-in-vscode.mjs [screenshot.png]: runs the extension's tests in a real VS Code, which
// code-server serves to Chromium. On the first run, npm installs code-server into node_modules/.cache and
// compiles its native modules, which takes about a minute.
import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { once } from "node:events";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { root } from "./workspace.mjs";

const version = "4.139.1";
const cache = join(root, "node_modules/.cache/bearhug");
const maxWaitMs = 150_000;

const codeServer = installCodeServer();
run(process.execPath, ["tools/pack-vscode.mjs"], root);
const folder = mkdtempSync(join(tmpdir(), "bearhug-vscode-"));
const report = join(folder, "report.txt");
await installExtensions();
const workspace = createWorkspace();
const shop = createServer((_, response) => response.end("hello")).listen(0, "127.0.0.1");
await once(shop, "listening");
const server = spawn(
  process.execPath,
  [
    join(codeServer, "out/node/entry.js"),
    "--auth",
    "none",
    "--bind-addr",
    "127.0.0.1:0",
    "--user-data-dir",
    join(folder, "user"),
    "--extensions-dir",
    join(folder, "extensions"),
    "--disable-telemetry",
    "--disable-update-check",
    "--disable-workspace-trust",
    "--config",
    join(folder, "config.yaml"),
  ],
  {
    env: {
      ...process.env,
      BEARHUG_VSCODE_REPORT: report,
      SHOP_URL: `http://127.0.0.1:${portOf(shop)}`,
    },
  },
);
const browser = await chromium.launch({
  executablePath: process.env["BEARHUG_CHROMIUM"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
try {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  await page.goto(`${await readUrl()}/?folder=${encodeURIComponent(workspace)}`);
  const output = await readReport();
  if (process.argv[2] !== undefined) await page.screenshot({ path: process.argv[2] });
  process.stdout.write(output);
  process.exitCode = output.endsWith("All have ended.\n") && !output.includes("✗") ? 0 : 1;
} finally {
  await browser.close();
  server.kill();
  shop.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Installs code-server, which contains VS Code. Returns its folder. */
function installCodeServer() {
  const folder = join(cache, `code-server-${version}`);
  const installed = join(folder, "node_modules/code-server");
  const vscode = join(installed, "lib/vscode");
  if (existsSync(join(folder, "installed"))) return installed;
  mkdirSync(folder, { recursive: true });
  const install = ["install", "--ignore-scripts", "--no-audit", "--no-fund"];
  run("npm", [...install, "--prefix", folder, `code-server@${version}`], folder);
  run("npm", [...install, "--omit=dev"], vscode);
  run("npm", ["rebuild", "@vscode/spdlog", "@vscode/native-watchdog", "node-pty"], vscode);
  run("npm", ["rebuild", "argon2"], folder);
  writeFileSync(join(folder, "installed"), "");
  return installed;
}

/** Creates a folder with tests, in which this bearhug is installed. */
function createWorkspace() {
  const created = join(folder, "workspace");
  cpSync(join(root, "packages/vscode/test/fixtures/workspace"), created, { recursive: true });
  mkdirSync(join(created, "node_modules/@bearhug"), { recursive: true });
  // The first Node on a terminal's PATH may be another one.
  const settings = { "bearhug.node": process.execPath };
  mkdirSync(join(created, ".vscode"));
  writeFileSync(join(created, ".vscode/settings.json"), JSON.stringify(settings));
  symlinkSync(join(root, "packages/cli"), join(created, "node_modules/bearhug"), "junction");
  symlinkSync(join(root, "packages/sdk"), join(created, "node_modules/@bearhug/sdk"), "junction");
  return created;
}

/**
 * Reads the port from code-server's output.
 * @returns {Promise<string>}
 */
function readUrl() {
  return new Promise((resolve, reject) => {
    let printed = "";
    const take = (/** @type {Buffer} */ chunk) => {
      printed += String(chunk);
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? [];
      if (url !== undefined) resolve(url);
    };
    server.stdout.on("data", take);
    server.stderr.on("data", take);
    server.on("exit", () => reject(new Error(`code-server did not start: ${printed}`)));
  });
}

/** Installs the packed extension, and another one that runs the suite after VS Code has started. */
async function installExtensions() {
  cpSync(join(cache, "vscode"), join(folder, "extensions/bearhug.bearhug-vscode-0.1.0"), { recursive: true });
  const suite = join(folder, "extensions/bearhug.suite-0.0.1");
  await build({
    entryPoints: [join(root, "packages/vscode/test/in-vscode/suite.ts")],
    outfile: join(suite, "suite.cjs"),
    bundle: true,
    format: "cjs",
    platform: "node",
    external: ["vscode"],
  });
  const manifest = {
    name: "suite",
    publisher: "bearhug",
    version: "0.0.1",
    engines: { vscode: "^1.101.0" },
    main: "./suite.cjs",
    activationEvents: ["onStartupFinished"],
  };
  writeFileSync(join(suite, "package.json"), JSON.stringify(manifest));
}

/** Waits for the suite's last line, up to a limit. Returns its output. */
async function readReport() {
  const until = Date.now() + maxWaitMs;
  for (;;) {
    const output = existsSync(report) ? readFileSync(report, "utf8") : "";
    if (output.endsWith("All have ended.\n") || Date.now() > until) return output;
    await sleep(200);
  }
}

/** @param {import("node:http").Server} listening */
function portOf(listening) {
  const address = listening.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {string} cwd
 */
function run(command, args, cwd) {
  const { status } = spawnSync(command, args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed`);
}
