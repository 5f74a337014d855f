import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { importCapture, writeTest as writeImported } from "@bearhug/har-import";
import { expect, test } from "vitest";

import { runBearhug, temporaryFolder, writeTest } from "../end-to-end/run-bearhug.ts";
import { startServer } from "../end-to-end/test-server.ts";

const secret = "correct-horse-battery";

function shop(url: string): string {
  return writeTest(`import { defineTest, extract } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${url}",
  env: { PASSWORD: { secret: true } },
  setup: ({ http, log }) => { log("setting up"); return http.get("/warm"); },
  scenarios: {
    buy: { executor: "constant-vus", vus: 10, duration: "30s", exec: async ({ http, page, group, check, env }) => {
      await page("Cart", async () => {
        const login = await http.post("/login", { json: { user: "ada", password: env.PASSWORD } });
        await group("pay", async () => {
          const token = extract(login, { json: "token" });
          check(await http.get("/pay", { auth: { bearer: token } }), {
            "is 200": ({ status }) => status === 200,
            "is short": () => false,
          });
        });
        await http.get("/image");
      });
    } },
    leave: { executor: "ramping-vus", stages: [{ duration: "1h", target: 9 }], exec: () => { throw new Error("oops"); } },
  },
  thresholds: { http_reqs: ["count>1000"] },
});
`);
}

async function startShop(): Promise<string> {
  const { url } = await startServer((request, response) => {
    if (request.url === "/login") {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ token: `${secret}-token` }));
    } else if (request.url === "/image") {
      response.setHeader("content-type", "image/png");
      response.end(Buffer.from([0, 1, 2, 255]));
    } else response.end("fine");
  });
  return url;
}

/** Replaces the parts that differ between runs: durations, dates, sizes, ports and the version of bearhug. */
function steady(stdout: string): string[] {
  return stdout
    .split("\n")
    .filter((line) => !/^ *< (?:date|connection|keep-alive|content-length|transfer-encoding):/i.test(line))
    .map((line) =>
      line
        .replaceAll(/[\d.]+ (?:µs|ms|s)\b/g, "T")
        .replaceAll(/\d+ B (sent|received)/g, "N B $1")
        .replaceAll(/127\.0\.0\.1:\d+/g, "HOST")
        .replace(/bearhug\/[\d.]+/, "bearhug/V")
        .replace(/(?:(?:connect|send|wait|receive|DNS) T · )+/, "PHASES · "),
    );
}

test("try prints each exchange, value, check, page and group of one iteration of each scenario, but no secrets", async () => {
  const file = shop(await startShop());
  const { exitCode, stdout, stderr } = await runBearhug(["try", file, "--env", `PASSWORD=${secret}`]);
  expect(stderr).toBe("");
  expect(stdout).not.toContain(secret);
  expect(steady(stdout).slice(0, 38)).toMatchInlineSnapshot(`
    [
      "setup",
      "  log setting up",
      "  GET http://HOST/warm  200 OK HTTP/1.1  T",
      "    > user-agent: bearhug/V",
      "    <",
      "    < fine",
      "    PHASES · N B sent · N B received",
      "",
      "buy",
      "  page Cart",
      "    POST http://HOST/login  200 OK HTTP/1.1  T",
      "      > content-type: application/json",
      "      > user-agent: bearhug/V",
      "      >",
      "      > {"user":"ada","password":"***"}",
      "      < content-type: application/json",
      "      <",
      "      < {"token":"***"}",
      "      PHASES · N B sent · N B received",
      "    group pay",
      "      extracted JSON value at token = ***",
      "      GET http://HOST/pay  200 OK HTTP/1.1  T",
      "        > authorization: Bearer ***",
      "        > user-agent: bearhug/V",
      "        <",
      "        < fine",
      "        PHASES · N B sent · N B received",
      "      ✓ is 200",
      "      ✗ is short",
      "    group pay took T",
      "    GET http://HOST/image  200 OK HTTP/1.1  T",
      "      > user-agent: bearhug/V",
      "      < content-type: image/png",
      "      <",
      "      < (4 B of image/png)",
      "      PHASES · N B sent · N B received",
      "  page Cart took T",
      "",
    ]
  `);
  expect(stdout).toMatch(/Error: oops at .*:20:\d+/);
  expect(stdout.trimEnd().split("\n").at(-1)).toMatch(
    /^✗ 4 requests \(0 failed\), 2 checks \(1 failed\), seed \d+, exit code 99$/,
  );
  expect(exitCode).toBe(99);
});

test("--iterations runs several iterations of a test with random choices, and --seed repeats these choices", async () => {
  const { url, counts } = await startServer();
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${url}",
  scenarios: { s: { executor: "constant-vus", vus: 9, duration: "1m", exec: ({ http, random }) =>
    http.get(random.weighted([["/many", 80], ["/few", 20]])) } },
});
`);
  const options = ["try", file, "--iterations", "12", "--seed", "7"];
  const { exitCode, stdout } = await runBearhug(options);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/12 requests \(0 failed\), 0 checks \(0 failed\), seed 7\n$/);
  const [many, few] = ["GET /many", "GET /few"].map((line) => counts.get(line) ?? 0);
  expect([many, few]).not.toContain(0);
  await runBearhug(options);
  expect(counts).toEqual(
    new Map([
      ["GET /many", (many ?? 0) * 2],
      ["GET /few", (few ?? 0) * 2],
    ]),
  );
  expect((await runBearhug(["try", file, "--iterations", "0"])).exitCode).toBe(104);
});

test("--har writes a capture that import can read, without secrets unless --with-secrets is given", async () => {
  const file = shop(await startShop());
  const har = join(temporaryFolder(), "out.har");
  const options = ["try", file, "--scenario", "buy", "--env", `PASSWORD=${secret}`, "--har", har];
  await runBearhug(options);
  const masked = readFileSync(har, "utf8");
  expect(masked).not.toContain(secret);
  expect(statSync(har).mode & 0o777).toBe(process.platform === "win32" ? 0o666 : 0o600);
  const imported = await importCapture(() => [Buffer.from(masked)]);
  expect(imported.model.findings).toEqual([]);
  const { source } = await writeImported(imported, {});
  // Their order and grouping depend on pauses of some milliseconds, which a fast server does not have.
  const paths = source.matchAll(/"(\/(?:warm|login|pay|image))"/g);
  expect(new Set(Array.from(paths, ([, path]) => path))).toEqual(
    new Set(["/warm", "/login", "/pay", "/image"]),
  );
  await runBearhug([...options, "--with-secrets"]);
  expect(readFileSync(har, "utf8")).toContain(secret);
});

test.skipIf(process.platform !== "linux")(
  "the JSON document of try reports a capture that cannot be written",
  async () => {
    const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${await startShop()}",
  scenarios: { s: { executor: "shared-iterations", vus: 1, iterations: 1, exec: ({ http }) => http.get("/") } },
});`);
    const { exitCode, stdout, stderr } = await runBearhug(["try", file, "--json", "--har", "/proc/x.har"]);
    const message = "/proc/x.har could not be written: ENOENT: no such file or directory.";
    expect(exitCode).toBe(111);
    expect(stderr).toContain(`bearhug try: ${message}`);
    expect(JSON.parse(stdout)).toMatchObject({ exitCode: 111, messages: [message] });
  },
);

test("try refuses a capture as its test, and --with-secrets without --har, both at once", async () => {
  const { exitCode, stderr } = await runBearhug(["try", "visit.har", "--with-secrets"]);
  expect(stderr.split("\n")).toEqual([
    "bearhug: visit.har is a capture, not a test. Make a test of it: bearhug import visit.har.",
    "bearhug: --with-secrets: only works with --har. Add --har FILE.",
    "",
  ]);
  expect(exitCode).toBe(104);
});

test("try shows what is odd about a successful request, and passes as a run does", async () => {
  const { url } = await startServer(({ url: path }, response) => {
    if (path === "/orders") response.writeHead(301, { location: "/orders/" });
    response.end();
  });
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({ baseUrl: "${url}", scenarios: { s: { executor: "shared-iterations", exec: async ({ http }) => {
await http.post("/orders", { json: {} }); } } } });`);
  const { exitCode, stdout } = await runBearhug(["try", file]);
  expect(stdout).toMatch(/ 1 .* BODY_DROPPED {2}POST \/orders\n/);
  expect(exitCode, stdout).toBe(0);
});
