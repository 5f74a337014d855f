import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";

import { expect, onTestFinished, test } from "vitest";

import { freePort } from "../free-port.ts";
import { kindsIn, named, received, spellingsOf, tokens } from "./secret-kinds.ts";
import { runBearhug, startBearhug, temporaryFolder, writeTest } from "./run-bearhug.ts";

interface Target {
  readonly url: string;
  /** The bodies that the collector of metrics received. */
  readonly exported: string[];
}

const failed = {
  session_token: received["field of a failed response"],
  api_keys: ["a-first", received["list in a failed response"]],
  secret: { value: received["object in a failed response"] },
};
const elsewhere = `http://ann:${received["user info of a redirect"]}@b.example/?access_token=${received["parameter of a redirect"]}`;
const program = 'send({ authorization: "Bearer " + token, password: form.value });';
const style = "input[type=password]{color:red}";
const page = `<style>\n${style}\n</style><input type="hidden" name="csrf_token" value="${received["field of a page"]}"><script>\n${program}\n</script>`;

/** Starts a target that echoes what it receives, and that is also a collector of metrics. */
async function startTarget(): Promise<Target> {
  const exported: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://a.example");
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      if (pathname === "/v1/metrics") exported.push(body);
      const note = searchParams.get("note") ?? "";
      if (pathname === "/away")
        response.writeHead(302, { location: `/echo?note=${encodeURIComponent(note)}` }).end();
      else if (pathname === "/account")
        response.end(
          JSON.stringify({
            password: named["of setup's data"],
            apiKeys: [named["of setup's list"]],
            access_token: named["field of a response"],
          }),
        );
      else if (pathname === "/cookie")
        response.writeHead(200, { "set-cookie": `sid=${named["cookie that is set"]}; Path=/` }).end();
      else if (pathname === "/echo")
        response
          .writeHead(500, { "content-type": "application/json", "x-note": encodeURIComponent(note) })
          .end(JSON.stringify({ note, sent: body, ...failed }));
      else if (pathname === "/elsewhere") response.writeHead(302, { location: elsewhere }).end();
      else if (pathname === "/page") response.writeHead(500, { "content-type": "text/html" }).end(page);
      else response.end("{}");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new TypeError("no address");
  return { url: `http://127.0.0.1:${address.port}`, exported };
}

/** Returns a test that sends each secret where it belongs, then repeats it under neutral names everywhere. */
function source(url: string): string {
  const said = [...Object.values(tokens), ...Object.values(named).flatMap(spellingsOf)];
  const returned = [named["of setup's data"], named["of setup's list"]].flatMap(spellingsOf);
  return `import { defineTest, csv } from "@bearhug/sdk";
const s: Record<string, string> = ${JSON.stringify(named)};
const said: string[] = ${JSON.stringify(said)};
const returned: string[] = ${JSON.stringify(returned)};
export default defineTest({
  baseUrl: "${url}",
  env: { ACCOUNT: { secret: true }, SHOP_SENHA: {}, SIGNING_KEY: {} },
  feeds: { users: csv("users.csv"), staff: [{ name: "Bob", login: { kennwort: s["of another feed's field"] } }] },
  metrics: { basket: { type: "trend" }, coupons: { type: "counter" } },
  setup: async ({ http, log }) => {
    const account = (await http.get("/account")).json<{ password: string; apiKeys: string[]; access_token: string }>();
    const headers = { cookie: "id=" + s["cookie"], authorization: s["authorization"], "x-api-key": s["header so named"] };
    await http.get("/?token=" + s["query parameter"], { headers });
    await http.get("/", { auth: { bearer: s["bearer"] } });
    await http.get("/", { auth: { username: "ann", password: s["basic password"] } });
    await http.get("/", { auth: { type: "digest", username: "ann", password: s["digest password"] } });
    await http.get("/", { auth: { type: "aws-sigv4", region: "r", service: "s", accessKeyId: "an-id", secretAccessKey: s["AWS signature's key"] } });
    await http.post("/", { json: { client_secret: s["JSON field"] } });
    await http.post("/", { json: [{ query: "…", variables: { login: { password: s["nested JSON field"] } } }] });
    await http.post("/", { json: { "contraseña": s["JSON field abroad"] } });
    await http.post("/", { form: { password: s["form field"] } });
    await http.post("/", { multipart: { password: s["multipart field"] } });
    await http.get("/", { auth: { bearer: account.access_token } });
    await http.get("/cookie");
    // What setup returns is known to be secret when it has returned it.
    for (const one of said) if (!returned.includes(one)) log("setup says " + one);
    return { password: account.password, apiKeys: account.apiKeys };
  },
  scenarios: {
    s: {
      executor: "shared-iterations", vus: 1, iterations: said.length,
      exec: async ({ http, log, check, page, group, tags, metrics, iteration, feeds, env, data, sleep }) => {
        const one = said[iteration.index] ?? "";
        const row = feeds.users.next();
        tags.set("who", one);
        metrics.basket.add(1, { kind: one });
        metrics.coupons.add(1, { kind: one });
        log("it says " + one);
        log.warn(one);
        console.log("it prints", { note: one });
        check(1, { ["says " + one]: () => false, ["throws " + one]: () => { throw new Error("broke on " + one); } });
        const headers = { "x-note": encodeURIComponent(one), "x-row": row.password, "x-data": data.password };
        await page("page " + one, () => group("group " + one, async () => {
          await http.post("/echo?note=" + encodeURIComponent(one), { name: "named " + one, headers, json: { note: one, row: row.note, text: JSON.stringify({ one }) } });
        }));
        await http.post("/echo", { body: one, headers: { "content-type": "text/plain" } });
        await http.get("/away?note=" + encodeURIComponent(one));
        for (const path of ["/elsewhere", "/page"]) await http.get(path);
        await http.get("/items/" + encodeURIComponent(one) + "/details");
        if (iteration.index === 0) for (const value of [env.ACCOUNT, env.SHOP_SENHA, env.SIGNING_KEY]) log("declared " + value);
        if (iteration.index % 10 === 0) await sleep("200ms");
        throw new Error("threw " + one);
      },
    },
  },
  thresholds: { checks: ["rate>0.99"], "basket{kind:none}": [{ threshold: "avg<1", allowEmpty: true }] },
});
`;
}

const values = [
  `ACCOUNT=${named.declared}`,
  `SHOP_SENHA=${named["of a variable so named"]}`,
  `SIGNING_KEY=${named["percent-encoded"]}`,
];
const options = values.flatMap((value) => ["--env", value]);

function writeShop(url: string): string {
  const file = writeTest(source(url));
  const row = `Ann Clover,${named["of a feed's column"]},a note`;
  writeFileSync(join(dirname(file), "users.csv"), `name,password,note\n${row}\n`);
  return file;
}

/** Returns the last metrics that Prometheus would have read. */
async function scrape(port: number, isOver: () => boolean): Promise<string> {
  let last = "";
  while (!isOver()) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`).catch(() => null);
    if (answer?.ok === true) last = (await answer.text().catch(() => "")) || last;
  }
  return last;
}

/** Runs the test with every output. Returns the text of every place to which it writes. */
async function runIntoSinks(target: Target): Promise<Record<string, string>> {
  const folder = temporaryFolder();
  const files = {
    json: "result.json",
    html: "report.html",
    junit: "junit.xml",
    csv: "result.csv",
    markdown: "report.md",
    ndjson: "run.ndjson",
    recording: "run.bearhug",
  };
  const port = await freePort();
  const outs = [
    ...Object.entries(files).map(([kind, name]) => `${kind}=${join(folder, name)}`),
    `otlp=${target.url}`,
    `prometheus=127.0.0.1:${port}`,
  ].flatMap((out) => ["--out", out]);
  const [summary, outputs] = [join(folder, "summary.md"), join(folder, "outputs")];
  const started = startBearhug(
    ["run", writeShop(target.url), ...options, ...outs, "--samples", "all", "--workers", "1"],
    folder,
    { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: outputs },
  );
  let isOver = false;
  const scraped = scrape(port, () => isOver);
  const ended = await started;
  isOver = true;
  expect(ended.exitCode, ended.stderr).toBe(99);
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  const again = await runBearhug(["report", join(folder, files.json)]);
  return {
    stdout: ended.stdout,
    "stderr, with annotations": ended.stderr,
    ...Object.fromEntries(
      Object.entries(files)
        .filter(([kind]) => kind !== "recording")
        .map(([kind, name]) => [kind, read(name)]),
    ),
    recording: gunzipSync(readFileSync(join(folder, files.recording))).toString("utf8"),
    "job summary": readFileSync(summary, "utf8"),
    outputs: readFileSync(outputs, "utf8"),
    report: again.stdout,
    otlp: target.exported.join("\n"),
    prometheus: await scraped,
  };
}

test("no secret is in anything that a run writes, whether declared, or known by its name or shape", async () => {
  const sinks = await runIntoSinks(await startTarget());
  // Without this output, the test would prove nothing.
  for (const [sink, said] of Object.entries({
    stdout: "broke on ***",
    "stderr, with annotations": "::error",
    "job summary": "named ***",
    json: '"named ***"',
    html: "named ***",
    junit: "named ***",
    csv: "named ***",
    markdown: "curl ",
    ndjson: "named ***",
    recording: "threw ***",
    report: "named ***",
    otlp: "named ***",
    prometheus: 'kind="***"',
  }))
    expect(sinks[sink], sink).toContain(said);
  expect(sinks["recording"]).toContain(JSON.stringify(program).slice(1, -1));
  const found = Object.fromEntries(Object.entries(sinks).map(([sink, text]) => [sink, kindsIn(text)]));
  expect(found).toEqual(Object.fromEntries(Object.keys(sinks).map((sink) => [sink, []])));
});

test("no secret is in anything that try prints and records", async () => {
  const folder = temporaryFolder();
  const { url } = await startTarget();
  const har = join(folder, "try.har");
  const ended = await runBearhug(["try", writeShop(url), ...options, "--har", har], folder);
  expect(ended.stdout).toContain("page ***");
  expect(ended.stderr + ended.stdout).toContain("setup says ***");
  const recorded = readFileSync(har, "utf8");
  expect(recorded).toContain("/echo?note=");
  for (const text of [ended.stdout, recorded.replaceAll(/\\+"/g, '"')]) expect(text).toContain(program);
  expect(ended.stdout).toContain(style);
  const sinks = { stdout: ended.stdout, stderr: ended.stderr, har: recorded };
  const found = Object.fromEntries(Object.entries(sinks).map(([sink, text]) => [sink, kindsIn(text)]));
  expect(found).toEqual({ stdout: [], stderr: [], har: [] });
});

test("a metric, tag or scenario whose name looks like a token is refused, and the message does not show the name", async () => {
  const token = tokens["GitHub"] ?? "";
  const file = writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "http://127.0.0.1:1",
  tags: { ${token}: "a" },
  metrics: { ${token}: { type: "counter" } },
  scenarios: { ${token}: { executor: "shared-iterations", vus: 1, iterations: 1, exec: () => undefined } },
});
`);
  for (const words of [
    ["run", file],
    ["check", file],
  ]) {
    const refused = await runBearhug(words);
    expect(refused.exitCode, refused.stderr).toBe(104);
    expect(refused.stderr.match(/looks like an access token/g)).toHaveLength(3);
    expect(kindsIn(refused.stdout + refused.stderr)).toEqual([]);
  }
});
