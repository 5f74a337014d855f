import { once } from "node:events";
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { request as sendRequest } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

import GithubSlugger from "github-slugger";
import { expect, onTestFinished, test } from "vitest";

import { root } from "../../../../tools/workspace.mjs";
import { hasOpenssl, makeCertificate } from "../../../http/test/make-certificate.ts";
import { handleRequest } from "../../src/demo/handle-request.ts";
import { createRouter } from "../../src/demo/router.ts";
import { createSite } from "../../src/demo/site.ts";
import { startDemo } from "../../src/demo/start-demo.ts";
import { readResult, runBearhug, temporaryFolder } from "../end-to-end/run-bearhug.ts";
import { startServer } from "../end-to-end/test-server.ts";
import { freePort } from "../free-port.ts";
import { everyCommand } from "./every-command.ts";
import { type Block, commandsOf, follow, type Followed, installBearhug, readBlocks } from "./follow-page.ts";

const printed = readFileSync(join(root, "docs/how-do-i.md"), "utf8");
const readme = readFileSync(join(root, "README.md"), "utf8");

/** The only changes to the page's text: loads become short and small, and limits allow for a busy machine. */
const smaller: readonly (readonly [RegExp, string])[] = [
  [/(?<= -d | --duration )\S+/g, "500ms"],
  // Long enough for more than one iteration of each user.
  [/(?<= --duration )\w+ --warmup \w+/g, "3s --warmup 100ms"],
  [/(?<=\bduration: )"\w+"/g, '"500ms"'],
  [/(?<=\bthink\()"\w+", "\w+"/g, '"100ms", "300ms"'],
  [/(?<=\bsleep\()"\w+"/g, '"300ms"'],
  [/(?<=p\(\d+\)<)\d+ms/g, "10s"],
  [/(?<= --from )100 --to 3200/g, "2 --to 4"],
  [/(?<= --agents )20(?= )/g, "2"],
  [/(?<= --rate )500(?= )/g, "20"],
  // So few that a busy machine answers all of them within the two seconds of a graceful stop.
  [/(?<= -c )50(?= )/g, "5"],
];

/**
 * Short values for the defaults of lines that leave them out. Lines with a number of requests have no
 * duration.
 */
const shortRuns = {
  BEARHUG_DURATION: "500ms",
  BEARHUG_SETTLE: "200ms",
  BEARHUG_MEASURE: "500ms",
  BEARHUG_BUDGET: "20s",
  BEARHUG_MAX_RATE: "2",
};

/** Tasks whose blocks cannot run here as printed, with the reason. Their `bearhug` lines still run. */
const notRun: Readonly<Record<string, string>> = {
  Docker: "a machine that tests need not have Docker, and the image installs bearhug from npm",
  Windows: "a machine that tests need not have PowerShell",
};

interface Task {
  readonly heading: string;
  readonly blocks: readonly Block[];
}

function makeSmaller(text: string): string {
  return smaller.reduce((shorter, [pattern, value]) => shorter.replaceAll(pattern, value), text);
}

function readTasks(page: string): Task[] {
  return page
    .split(/^### /m)
    .slice(1)
    .map((section) => ({
      heading: section.slice(0, section.indexOf("\n")),
      blocks: readBlocks(section),
    }));
}

function blockOf(tasks: readonly Task[], heading: string, language: string): string {
  const block = tasks
    .find((task) => task.heading === heading)
    ?.blocks.find((one) => one.language === language);
  if (block === undefined) throw new TypeError(`"${heading}" has no block in ${language}`);
  return block.text;
}

interface Surroundings {
  /** The page's tasks, with the addresses of this test's servers. */
  readonly tasks: readonly Task[];
  /** Environment variables for the commands. */
  readonly environment: Readonly<Record<string, string>>;
  /** Returns the number of requests that the proxy forwarded. */
  readonly proxied: () => number;
  /** Returns the number of exports that the OpenTelemetry collector received. */
  readonly collected: () => number;
  /** Makes a folder with the files that the page mentions. */
  readonly newFolder: () => string;
}

async function startSurroundings(): Promise<Surroundings> {
  const [demo, secure, proxy, collector] = await Promise.all([
    startDemo({ port: 0, host: "127.0.0.1" }),
    hasOpenssl ? startSecureDemo() : null,
    startServer((request, response) => {
      const { method, headers, url = "" } = request;
      const passed = sendRequest(url, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      request.pipe(passed);
    }),
    startServer(),
  ]);
  onTestFinished(() => demo.close());
  const host = new URL(demo.url).host;
  const addresses: Readonly<Record<string, string>> = {
    "127.0.0.1:8080": host,
    "10.0.0.5:8080": host,
    ...(secure === null ? {} : { "127.0.0.1:8443": secure }),
    "127.0.0.1:3128": new URL(proxy.url).host,
    "0.0.0.0:7654": `127.0.0.1:${await freePort()}`,
    "--out prometheus\n": `--out prometheus=127.0.0.1:${await freePort()}\n`,
  };
  const withAddresses = (text: string): string =>
    Object.entries(addresses).reduce((page, [address, here]) => page.replaceAll(address, here), text);
  expect(Object.keys(addresses).filter((address) => !printed.includes(address))).toEqual([]);
  const tasks = readTasks(withAddresses(makeSmaller(printed)));
  const [, shop = ""] = /^Save this as `load\/shop\.load\.ts`:.*?^```ts\n(.*?)^```/ms.exec(readme) ?? [];
  return {
    tasks,
    environment: { ...shortRuns, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    proxied: proxy.total,
    collected: () => collector.counts.get("POST /v1/metrics") ?? 0,
    newFolder: () => {
      const folder = temporaryFolder();
      mkdirSync(join(folder, "load"));
      const save = (name: string, text: string): void => writeFileSync(join(folder, name), text);
      save("load/shop.load.ts", withAddresses(makeSmaller(shop)));
      save("load/api.load.ts", blockOf(tasks, "Log in once and reuse the token", "ts"));
      save("load/users.csv", blockOf(tasks, "Give each user a row of a CSV file", "csv"));
      save("load/.env", "SHOP_PASSWORD=honey\n");
      const capture = readFileSync(join(root, "docs/demo.har"), "utf8");
      save("shop.har", capture.replaceAll("127.0.0.1:8181", host));
      copyFileSync(join(root, "packages/cli/assets/demo/logo.svg"), join(folder, "load/bear.svg"));
      return folder;
    },
  };
}

/** Starts the practice site over TLS, with a self-signed certificate. Returns its host and port. */
async function startSecureDemo(): Promise<string> {
  const router = createRouter(createSite());
  const server = createSecureServer({ ...makeCertificate("DNS:localhost") }, (request, response) => {
    void handleRequest(router, request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Works on six items at a time, since most of the work is waiting. */
async function doAll<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: 6 }, worker));
}

/** Returns the shell lines of a task, or only its `bearhug run` lines if its blocks cannot run here. */
function linesOf({ heading, blocks }: Task): string[] {
  if (!Object.hasOwn(notRun, heading)) return blocks.flatMap(commandsOf);
  const lines = blocks.flatMap(({ text }) => text.replaceAll("\\\n", " ").split("\n"));
  return lines.flatMap((line) => /(?:^npx | )(bearhug run .*)/.exec(line)?.[1] ?? []);
}

/** Sets up a folder as a project with vitest and this test. Returns the command that runs it. */
function installVitest(folder: string, source: string): string {
  const config = JSON.stringify(join(root, "vitest.config.ts"));
  writeFileSync(join(folder, "shop.test.ts"), source);
  writeFileSync(join(folder, "vitest.config.mjs"), `export { shared as default } from ${config};\n`);
  symlinkSync(join(root, "examples/node_modules"), join(folder, "node_modules"), "junction");
  return `"${process.execPath}" "${join(root, "node_modules/vitest/vitest.mjs")}" run`;
}

/** Runs `bearhug coordinate`, and starts two agents with the line that it prints. */
async function coordinate(line: string, folder: string, environment: NodeJS.ProcessEnv): Promise<Followed[]> {
  const agents: Promise<Followed>[] = [];
  const coordinator = await follow(line, folder, environment, (output) => {
    const [, start] = /^ +(BEARHUG_TOKEN=\S+ bearhug agent --join \S+)\n/m.exec(output) ?? [];
    if (start === undefined || agents.length > 0) return;
    for (let agent = 0; agent < 2; agent++) agents.push(follow(start, temporaryFolder(), environment));
  });
  return [coordinator, ...(await Promise.all(agents))];
}

const isForVitest = ({ text }: Block): boolean => text.includes("bearhug/vitest");

const sdkFunctions = ["csv", "defineTest", "extract", "noJsonErrors", "statusIs"];

const context = ["check", "data", "http", "random", "sleep", "think"];

/** Completes a part of a test as the page's second paragraph explains. */
function complete(part: string, whole: string): string {
  const imports = `import { ${sdkFunctions.join(", ")} } from "@bearhug/sdk";\n`;
  if (!/^\w+: /.test(part)) {
    const exec = `exec: async ({ ${context.join(", ")} }) => {\n${part}},\n    },\n  },\n});\n`;
    return imports + whole.replace(/^import .*\n/, "").replace(/exec: .*/s, () => exec);
  }
  const visits = `scenarios: { visits: { executor: "shared-iterations", vus: 2, iterations: 9, exec: ({ http }) => http.get("/") } },`;
  const [, baseUrl = ""] = /^ +(baseUrl: .*)/m.exec(whole) ?? [];
  const parts = /^scenarios: /m.test(part) ? [baseUrl, part] : [baseUrl, part, visits];
  return `${imports}export default defineTest({\n${parts.join("\n")}\n});\n`;
}

/**
 * Sets up a folder as a project with TypeScript and the SDK: the build of the check if there is one, or the
 * sources.
 */
function installTypes(folder: string): void {
  mkdirSync(join(folder, "node_modules/@bearhug"), { recursive: true });
  const installed = { typescript: "node_modules/typescript", "@bearhug/sdk": "packages/sdk" };
  for (const [name, path] of Object.entries(installed))
    symlinkSync(join(root, path), join(folder, "node_modules", name), "junction");
  const sources = process.env["BEARHUG_PACKED"] === undefined ? { customConditions: ["bearhug-source"] } : {};
  const module = { module: "preserve", moduleResolution: "bundler", target: "es2024" };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...module, strict: true, types: [], ...sources } }),
  );
}

test("README.md links to the page, and the page begins with a link to each task", () => {
  expect(readme).toContain("[How do I …?](docs/how-do-i.md)");
  const slugger = new GithubSlugger();
  const anchors = readTasks(printed).map(({ heading }) => `(#${slugger.slug(heading)})`);
  expect(anchors.length).toBeGreaterThanOrEqual(33);
  const contents = printed.slice(0, printed.indexOf("\n## "));
  expect(contents.match(/\(#[^)]+\)/g)).toEqual(anchors);
});

test("every replacement of this test matches the page, and few blocks cannot run", () => {
  expect(smaller.filter(([pattern]) => !printed.match(pattern))).toEqual([]);
  const tasks = readTasks(printed);
  expect(Object.keys(notRun).filter((heading) => !tasks.some((task) => task.heading === heading))).toEqual(
    [],
  );
  expect(Object.keys(notRun).length).toBeLessThanOrEqual(5);
  const languages = tasks.flatMap(({ blocks }) => blocks.map(({ language }) => language));
  expect(new Set(languages)).toEqual(new Set(["sh", "ts", "csv", "powershell"]));
});

/** The page's commands are for a POSIX shell. */
const hasShell = process.platform !== "win32";

test.skipIf(!hasShell || !hasOpenssl)(
  "each shell line and the vitest file do what the page says (needs a shell, and openssl for a certificate)",
  { timeout: 300_000 },
  async () => {
    const { tasks, environment, newFolder, proxied, collected } = await startSurroundings();
    const followed: Followed[] = [];
    const whole = blockOf(tasks, "Log in once and reuse the token", "ts");
    const takesLong = ({ heading }: Task): boolean => heading === "Find the capacity";
    const longestFirst = tasks.toSorted((left, right) => Number(takesLong(right)) - Number(takesLong(left)));
    await doAll(longestFirst, async (task) => {
      const folder = newFolder();
      // The lines of this task run the test printed above them.
      if (task.heading === "Keep passwords out of tests")
        writeFileSync(
          join(folder, "load/shop.load.ts"),
          complete(blockOf([task], task.heading, "ts"), whole),
        );
      const installed = { ...installBearhug(folder), ...environment };
      const forVitest = task.blocks.filter(isForVitest).map(({ text }) => installVitest(folder, text));
      for (const line of [...linesOf(task), ...forVitest]) {
        const all = line.includes(" -n ") ? { ...installed, BEARHUG_DURATION: undefined } : installed;
        if (line.includes(" coordinate ")) followed.push(...(await coordinate(line, folder, all)));
        else followed.push(await follow(line, folder, all));
      }
    });
    const failed = followed.filter(({ exitCode }) => exitCode !== 0);
    expect(failed, JSON.stringify(failed)).toEqual([]);
    expect(followed.filter(({ line }) => line.includes("bearhug agent"))).toHaveLength(2);
    const lines = printed.match(/^(?:\w+=\S+ )?npx bearhug .*| bearhug run .*/gm) ?? [];
    expect(lines.length).toBeGreaterThan(30);
    // The two agents and vitest add a line each.
    expect(followed).toHaveLength(lines.length + 3);
    const outputOf = (words: string): string =>
      followed.find(({ line }) => line.includes(words))?.output ?? "";
    expect(outputOf("/flaky")).toContain("body: Not this time.");
    expect(outputOf("-n 1000 ")).toMatch(/^ +http_reqs +1000 /m);
    expect(outputOf("vitest.mjs")).toMatch(/Tests +1 passed/);
    expect(outputOf("--from 2")).toMatch(/^ +VUs .* generator$/m);
    expect([proxied(), collected()]).toEqual([expect.toSatisfy((count: number) => count > 0), 1]);
  },
);

test("each test, and each completed part of one, passes check and run", { timeout: 300_000 }, async () => {
  const { tasks, newFolder } = await startSurroundings();
  const folder = newFolder();
  const whole = blockOf(tasks, "Log in once and reuse the token", "ts");
  const sources = tasks.flatMap(({ heading, blocks }) =>
    blocks
      .filter((block) => block.language === "ts" && !isForVitest(block))
      .map(({ text }) => ({ heading, source: text.startsWith("import ") ? text : complete(text, whole) })),
  );
  expect(sources.length).toBeGreaterThanOrEqual(12);
  const slugger = new GithubSlugger();
  const files = sources.map(({ heading, source }) => {
    const file = join(folder, `load/${slugger.slug(heading)}.load.ts`);
    writeFileSync(file, source);
    return file;
  });
  installTypes(folder);
  const checked = await runBearhug(["check", "load"], folder);
  expect(checked).toMatchObject({
    exitCode: 0,
    stderr: expect.stringMatching(/no problems\.\n$/) as string,
  });
  await doAll(files, async (file) => {
    const json = file.replace(".load.ts", ".json");
    const line = ["run", file, "--out", `json=${json}`, "--env-from", "load/.env"];
    const ended = await runBearhug(line, folder);
    const text = `${readFileSync(file, "utf8")}\n${ended.stdout}\n${ended.stderr}`;
    expect(ended.exitCode, text).toBe(0);
    const { accounting, checks } = readResult(json, ended);
    expect(accounting.iterations.completed, text).toBeGreaterThan(0);
    expect(accounting.iterations.failed, text).toBe(0);
    expect(
      [...accounting.requests.filter(({ failed }) => failed > 0), ...checks.filter(({ fails }) => fails > 0)],
      text,
    ).toEqual([]);
  });
});

test("each option in the page's text is one of bearhug or Docker", async () => {
  const commands = await everyCommand();
  const known = new Set(
    commands.flatMap(({ options }) => options.flatMap(({ short, long }) => [short, long])),
  );
  const text = printed.replaceAll(/^```.*?^```/gms, "");
  const code = [...text.matchAll(/`([^`]+)`/g)].map(([, one = ""]) => one);
  const named = code.flatMap((one) => one.match(/(?<=^| )--?[a-z][\w-]*/g) ?? []);
  expect(named.length).toBeGreaterThan(15);
  const ofDocker = ["--read-only", "--tmpfs", "--user"];
  expect(named.filter((option) => !known.has(option) && !ofDocker.includes(option))).toEqual([]);
});

test.skipIf(!hasShell)("the CI gate exits with 99 if its limit is exceeded (needs a shell)", async () => {
  const { tasks, environment, newFolder } = await startSurroundings();
  const [gate = ""] = commandsOf({
    language: "sh",
    text: blockOf(tasks, "Fail the CI job if the p95 is over 300 ms", "sh"),
  });
  const folder = newFolder();
  const missed = gate.replace("p(95)<10s", "p(95)<0.001ms");
  const { exitCode, output } = await follow(missed, folder, { ...installBearhug(folder), ...environment });
  expect(exitCode, output).toBe(99);
});
