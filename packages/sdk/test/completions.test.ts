import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";

const sdk = join(import.meta.dirname, "..");
const file = join(sdk, "test/types/in-the-editor.ts");
/**
 * The declarations that the check has just built, as users' editors read them; otherwise the sources, which take
 * longer.
 */
const types = join(sdk, process.env["BEARHUG_PACKED"] === undefined ? "src/index.ts" : "dist/index.d.ts");

/** An editor that requests completions from TypeScript for one file. */
class Editor {
  #text = "";
  #version = 0;
  readonly #service: ts.LanguageService;
  constructor() {
    const { config } = ts.readConfigFile(join(sdk, "../../tsconfig.base.json"), (path) =>
      ts.sys.readFile(path),
    ) as {
      config: unknown;
    };
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, sdk);
    const isFile = (path: string): boolean => path === file;
    this.#service = ts.createLanguageService({
      getCompilationSettings: () => ({ ...options, paths: { "@bearhug/sdk": [types] } }),
      getScriptFileNames: () => [file],
      getScriptVersion: (path) => (isFile(path) ? String(this.#version) : "1"),
      getScriptSnapshot: (path) => {
        const text = isFile(path) ? this.#text : ts.sys.readFile(path);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => sdk,
      getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
      fileExists: (path) => isFile(path) || ts.sys.fileExists(path),
      readFile: (path) => (isFile(path) ? this.#text : ts.sys.readFile(path)),
      directoryExists: (path) => ts.sys.directoryExists(path),
      useCaseSensitiveFileNames: () => true,
    });
  }

  /** Returns the names that are offered at the `|` of the text. */
  completions(text: string): string[] {
    const position = text.indexOf("|");
    this.#text = text.replace("|", "");
    this.#version++;
    const found = this.#service.getCompletionsAtPosition(file, position, {});
    return found?.entries.map(({ name }) => name) ?? [];
  }
}

const editor = new Editor();

function completionsIn(parts: string): string[] {
  return editor.completions(`import { defineTest } from "@bearhug/sdk";
    export default defineTest({
      env: { API_TOKEN: {} },
      metrics: { basket: { type: "trend" }, paid: { type: "rate" } },
      setup: () => ({ users: [{ name: "ann" }], token: "" }),
      ${parts}
    });`);
}

describe("the editor offers", () => {
  test.for([
    ["executors", `scenarios: { a: { executor: "|" } }`, ["constant-vus", "ramping-arrival-rate"]],
    [
      "options of an executor",
      `scenarios: { a: { executor: "constant-vus", | } }`,
      ["duration", "vus", "exec"],
    ],
    ["examples of durations", `scenarios: { a: { executor: "constant-vus", duration: "|" } }`, ["1m30s"]],
    ["options of requests", `http: { | }, scenarios: {}`, ["timeout", "tls", "hosts", "localAddresses"]],
    ["values of such an option", `http: { cookies: "|" }, scenarios: {}`, ["iteration", "vu", "off"]],
    [
      "options of requests in a scenario",
      `scenarios: { a: { executor: "constant-vus", http: { tls: { | } } } }`,
      ["ca", "insecureSkipTlsVerify"],
    ],
    ["parts of a timeout", `http: { timeout: { | } }, scenarios: {}`, ["connect", "firstByte", "whole"]],
    ["examples of timeouts", `http: { timeout: "|" }, scenarios: {}`, ["500ms"]],
    [
      "what setup returned",
      `scenarios: { a: { executor: "constant-vus", exec: ({ data }) => data.| } }`,
      ["users", "token"],
    ],
    [
      "the test's metrics",
      `scenarios: { a: { executor: "constant-vus", exec: ({ metrics }) => metrics.| } }`,
      ["basket", "paid"],
    ],
    [
      "the test's variables",
      `scenarios: { a: { executor: "constant-vus", exec: ({ env }) => env.| } }`,
      ["API_TOKEN"],
    ],
    [
      "numbers of the environment",
      `scenarios: { a: { executor: "constant-vus", vus: ({ env }) => env.| } }`,
      ["API_TOKEN"],
    ],
    ["metrics to judge", `scenarios: {}, thresholds: { | }`, ["http_req_duration", "basket", '"server.cpu"']],
    ["examples of expressions", `scenarios: {}, thresholds: { paid: ["|"] }`, ["rate<1%"]],
    [
      "examples on monitored gauges",
      `scenarios: {}, thresholds: { "server.cpu": ["|"] }`,
      ["avg<80%", "max<95%"],
    ],
  ] as const)("%s", ([, parts, expected]) => {
    expect(completionsIn(parts)).toEqual(expect.arrayContaining([...expected]));
  });
});
