import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

import { describe, expect, test } from "vitest";

import { startEchoServer } from "./echo-server.ts";
import { recordingsIn } from "./kill-run.ts";
import { findPlanted, planted, spellings } from "./planted-secrets.ts";
import type { Ended } from "../kept-process/command-line.ts";
import { runBearhug, temporaryFolder, writeTest } from "./run-bearhug.ts";

const spelled = Object.values(planted).map((secret) =>
  Object.values(spellings).map((spell) => spell(secret)),
);

/** Returns a test that sends every secret where it belongs, then repeats it in every spelling and place. */
function source(baseUrl: string, last: string): string {
  return `import { defineTest } from "@bearhug/sdk";
const s = ${JSON.stringify(planted)};
const spelled: string[][] = ${JSON.stringify(spelled)};
const everySecret = spelled.flat().join(" | ");
export default defineTest({
  baseUrl: "${baseUrl}",
  env: { API_TOKEN: {}, SIGNING_KEY: { secret: true } },
  http: { headers: { "x-amz-security-token": s.awsToken } },
  setup: async ({ http, log }) => {
    const headers = {
      "x-api-key": s.apiKey, "x-auth-user": s.authUser, "my-token": s.ownToken, "x-csrf-token": s.csrf,
      "my-signature": s.signatureHeader, cookie: "sid=" + s.cookieHeader + "; theme=dark",
    };
    await http.get("/?token=" + s.queryToken + "&code=" + s.queryCode, { headers, auth: { bearer: s.bearer } });
    await http.get("/?signature=" + s.querySignature + "&session=" + s.querySession, { params: { api_key: s.parameter }, auth: { username: "ann", password: s.basic } });
    await http.get("/", { auth: { type: "digest", username: "ann", password: s.digest } });
    await http.get("/", { auth: { type: "aws-sigv4", region: "r", service: "s", accessKeyId: "AKID", secretAccessKey: s.awsKey, sessionToken: s.awsSession } });
    await http.post("/", { multipart: { password: s.formData } });
    await http.post("/", { form: { password: s.formPassword, client_secret: s.formSecret } });
    await http.post("/", { json: { access_token: s.jsonToken, id_token: s.literal } });
    await http.post("/", { json: { password: s.userInfo } });
    http.cookies.set("own", s.cookieJar);
    await http.get("/cookie");
    log("setup says " + everySecret);
    console.log("setup prints", everySecret);
    return { ready: true };
  },
  scenarios: {
    s: {
      executor: "shared-iterations", vus: 1, iterations: spelled.length,
      http: { auth: { bearer: s.httpBearer } },
      exec: async ({ http, log, check, page, group, tags, iteration, abort }) => {
        const mine = spelled[iteration.index]!;
        const raw = mine[0]!.replaceAll("\\n", " ");
        const all = mine.join(" | ");
        log.warn("it says " + all);
        console.log("it prints", all);
        console.error(all);
        process.stdout.write(raw.slice(0, 7)); process.stdout.write(raw.slice(7) + "\\n");
        tags.set("who", all);
        check(1, { [all]: () => true, ["throws " + all]: () => { throw new Error(all); } });
        const latin1 = mine.at(-1)!.replaceAll("\\n", " ");
        const headers = { "x-what": latin1, "x-echo": "x-what" };
        await page(all, () => group(all, () => http.get("/json", { name: "named " + all, headers })));
        for (const path of ["/status-text", "/garbage", "/header", "/chunk"]) await http.get(path, { headers, name: path + raw });
        for (const path of ["/loop", "/ambiguous", "/elsewhere"])
          await http.get(path + "?q=" + "y".repeat(80) + encodeURIComponent(raw), { name: path + iteration.index });
        await http.get("/" + encodeURIComponent(raw) + "/" + "z".repeat(230) + encodeURIComponent(raw));
        await http.post("/json", { body: all, name: "body" }).then((r) => { try { r.json(); } catch (error) { log.error(String(error)); } });
        void Promise.reject(new Error("stray " + all));
        ${last}
      },
    },
  },
  teardown: ({ log }) => { log("teardown says " + everySecret); throw new Error("teardown threw " + everySecret); },
});
`;
}

const environment = { MY_TOKEN: planted.fromEnvironment };
const given = [
  "--env",
  `API_TOKEN=${planted.declared}`,
  "--env",
  `SIGNING_KEY=${planted.lines}`,
  "--tag",
  "a=b",
];

interface Written {
  readonly ended: Ended;
  readonly text: string;
}

async function runAndRead(last: string, options: readonly string[]): Promise<Written> {
  const file = writeTest(source(await startEchoServer(), last));
  const folder = temporaryFolder();
  const [report, ...others] = [
    "result.json",
    "junit.xml",
    "report.md",
    "summary.md",
    "outputs",
    "report.html",
  ].map((name) => join(folder, name)) as [string, string, string, string, string, string];
  const [junit, markdown, summary, outputs, page] = others;
  const outs = [`json=${report}`, `junit=${junit}`, `markdown=${markdown}`, `html=${page}`].flatMap((out) => [
    "--out",
    out,
  ]);
  const ended = await runBearhug(["run", file, ...given, ...options, ...outs], undefined, {
    ...environment,
    XDG_CACHE_HOME: temporaryFolder(),
    GITHUB_ACTIONS: "true",
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_OUTPUT: outputs,
  });
  const again = await runBearhug(["report", report]);
  const written = [report, ...others].map((path) => readFileSync(path, "utf8"));
  return { ended, text: [ended.stdout, ended.stderr, ...written, again.stdout].join("\n") };
}

describe("secrets of more than twenty kinds are not written in any spelling", () => {
  test.each(["1", "0"])(
    "if a test prints, throws and receives them, with --workers %s",
    async (workers) => {
      const { ended, text } = await runAndRead(`throw new Error("threw " + all);`, ["--workers", workers]);
      expect(ended.exitCode, text).toBe(107);
      // Without this output, the test would prove nothing.
      for (const said of [
        "it says ***",
        "it prints ***",
        "threw ***",
        "setup says ***",
        "teardown threw ***",
        "title=bearhug%3A errored::teardown ",
        "## ❌ bearhug: errored",
        "<testsuites ",
        '"exemplars": {',
        '"kind": "median"',
        "curl -i ",
        '"waterfalls":{"items":[{',
      ])
        expect(text, said).toContain(said);
      for (const code of [
        "MALFORMED_RESPONSE",
        "TOO_MANY_REDIRECTS",
        "HOST_NOT_ALLOWED",
        "UNHANDLED_REJECTION",
        "HTTP_500",
      ])
        expect(text, code).toContain(code);
      expect(findPlanted(text)).toEqual([]);
    },
    300_000,
  );

  test("in the reason of an abort, nor in the recording of a run whose report could not be written", async () => {
    const file = writeTest(
      source(await startEchoServer(), `if (iteration.index === 3) abort("aborted " + everySecret);`),
    );
    const cache = temporaryFolder();
    const ended = await runBearhug(
      ["run", file, ...given, "--workers", "1", "--out", "json=/dev/full"],
      undefined,
      { ...environment, XDG_CACHE_HOME: cache },
    );
    const [recording = ""] = recordingsIn(cache);
    const recorded = gunzipSync(readFileSync(recording)).toString("utf8");
    const again = await runBearhug(["report", recording], undefined, { XDG_CACHE_HOME: cache });
    const text = [ended.stdout, ended.stderr, recorded, again.stdout].join("\n");
    expect(text).toContain("aborted ***");
    expect(recorded).toContain("MALFORMED_RESPONSE");
    expect(findPlanted(text)).toEqual([]);
  }, 300_000);
});
