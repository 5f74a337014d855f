import { execFileSync } from "node:child_process";

import type { FailedExchange } from "@bearhug/sdk/result";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { curlCommand } from "../src/curl-command.ts";
import { failedExchange } from "./exemplars.ts";
import { hostileTexts } from "./hostile-texts.ts";

const plain: FailedExchange = {
  ...failedExchange,
  method: "GET",
  url: "http://127.0.0.1:8080/",
  request: { headers: [], body: null },
};
const whole = (text: string) => ({ text, isWhole: true, bytes: Buffer.byteLength(text) });

/** Runs each command in a shell and returns the arguments that curl gets. */
function argumentsOf(
  commands: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Buffer[][] {
  const script = ["curl() { printf '%s\\0' \"$@\"; printf '\\1\\2\\0'; }", ...commands].join("\n");
  const output = execFileSync("bash", ["--norc", "-c", script], { env: { ...process.env, ...variables } });
  return output
    .toString("latin1")
    .split("\u0001\u0002\0")
    .slice(0, -1)
    .map((one) =>
      one
        .split("\0")
        .slice(0, -1)
        .map((text) => Buffer.from(text, "latin1")),
    );
}

describe("the curl line of a failed exchange", () => {
  test("repeats method, URL, headers and body, with variables in place of masked values", () => {
    const { command, notes } = curlCommand(failedExchange);
    expect(command).toBe(
      [
        `curl -i -X POST 'http://127.0.0.1:8080/cart?session='"$SESSION"`,
        `-H 'content-type: application/json' -H 'authorization: Bearer '"$AUTHORIZATION"`,
        `--data-raw '{"item":"it'\\''s 1","password":"'"$PASSWORD"'"}'`,
      ].join(" "),
    );
    expect(notes).toEqual(["Set $SESSION, $AUTHORIZATION, $PASSWORD first: secrets are masked."]);
    const variables = { SESSION: "s&1", AUTHORIZATION: "$(t)", PASSWORD: `p"'` };
    expect(argumentsOf([command], variables)[0]?.map(String)).toEqual([
      "-i",
      "-X",
      "POST",
      "http://127.0.0.1:8080/cart?session=s&1",
      "-H",
      "content-type: application/json",
      "-H",
      "authorization: Bearer $(t)",
      "--data-raw",
      `{"item":"it's 1","password":"p"'"}`,
    ]);
  });

  test("is short for a plain GET", () => {
    expect(curlCommand(plain)).toEqual({ command: "curl -i http://127.0.0.1:8080/", notes: [] });
  });

  test.each<[string, Partial<FailedExchange>, string]>([
    ["HEAD", { method: "HEAD" }, "curl -I http://127.0.0.1:8080/"],
    ["brackets in the URL", { url: "http://[::1]/?a[]=1" }, "curl -i -g 'http://[::1]/?a[]=1'"],
    ["HTTP/2 without TLS", { protocol: "HTTP/2" }, "curl -i --http2-prior-knowledge http://127.0.0.1:8080/"],
    [
      "headers that curl writes itself",
      {
        request: {
          headers: [
            ["accept-encoding", "gzip"],
            ["content-length", "3"],
            ["x-empty", ""],
          ],
          body: null,
        },
      },
      "curl -i http://127.0.0.1:8080/ --compressed -H 'x-empty;'",
    ],
    [
      "a body without a type",
      { request: { headers: [], body: whole("a=1") } },
      "curl -i http://127.0.0.1:8080/ -H content-type: --data-raw a=1",
    ],
    ["a masked user", { url: "http://***@127.0.0.1/" }, `curl -i http://"$SECRET"@127.0.0.1/`],
    [
      "a parameter with the name of a shell variable",
      { url: "http://127.0.0.1/?pwd=***&pwd=***" },
      `curl -i 'http://127.0.0.1/?pwd='"$SECRET_PWD"'&pwd='"$SECRET_PWD_2"`,
    ],
  ])("handles %s", (_, exchange, command) => {
    expect(curlCommand({ ...plain, ...exchange }).command).toBe(command);
  });

  test("has notes about missing parts", () => {
    const headers = [["x-long", `${"l".repeat(255)}…`]] as const;
    const body = { text: "{", isWhole: false, bytes: 12_345 };
    const { command, notes } = curlCommand({
      ...plain,
      url: "http://127.0.0.1/long…",
      request: { headers, body },
    });
    expect(command).toContain("--data-binary @request-body");
    expect(command).not.toContain("x-long");
    expect(notes).toEqual([
      "Save the whole body (12.3 kB) as request-body first: the result has only part of it.",
      "The command omits headers that are too long: x-long.",
      "The URL is incomplete: it is too long for the result.",
    ]);
  });

  test("passes any text to curl unchanged, and runs nothing else", () => {
    const texts = fc.sample(hostileTexts, { numRuns: 20, seed: 7 }).flat();
    const harmful = [...texts, "$(exit 9)", "`id`", "!!", "a\\", "'; exit 9 #", "\n", "-o/tmp/x", "Käse ☃"];
    const sent = harmful
      .filter((text) => !text.includes("***") && !text.includes("\0"))
      .map((text) => text.toWellFormed());
    const commands = sent.map(
      (text) => curlCommand({ ...plain, request: { headers: [], body: whole(text) } }).command,
    );
    // In zsh, an unquoted "=ls" expands to the path of that command.
    expect(curlCommand({ ...plain, request: { headers: [], body: whole("=ls") } }).command).toContain(
      "'=ls'",
    );
    for (const command of commands) expect(command).toMatch(/^[\x20-\x7e]*$/);
    expect(commands.join("\n")).not.toMatch(/##\[|\s::[a-z]/);
    expect(argumentsOf(commands).map((one) => one.at(-1)?.toString())).toEqual(sent);
  });

  test("writes the bytes of a header as they were sent", () => {
    const { command } = curlCommand({
      ...plain,
      request: { headers: [["x-name", "J\xfcrgen"]], body: null },
    });
    expect(argumentsOf([command])[0]?.at(-1)).toEqual(Buffer.from("x-name: J\xfcrgen", "latin1"));
  });
});
