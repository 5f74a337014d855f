import { createContext, runInContext } from "node:vm";

import * as sdk from "@bearhug/sdk";
import ts from "typescript";

/** A request that a written test makes. */
export interface TestRequest {
  readonly method: string;
  readonly url: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** The definition of a written test, and the effects of running it. */
export interface Played {
  readonly definition: Definition;
  readonly sentRequests: readonly TestRequest[];
  /** Globals that importing the test added. */
  readonly globals: readonly string[];
}

interface Definition {
  readonly baseUrl: string;
  readonly http?: { readonly headers?: Readonly<Record<string, string>> };
  readonly scenarios: { readonly visitors: { readonly exec: (context: unknown) => Promise<void> } };
}

type Send = (url: string, options?: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** Runs one iteration of a test in an isolated context, which records requests without sending them. */
export async function playSource(source: string): Promise<Played> {
  const defined: Definition[] = [];
  const played = {
    ...sdk,
    defineTest: (test: Definition) => defined.push(test),
    extract: () => "extracted",
    fromBase64: (base64: string) => new TextEncoder().encode(base64),
  };
  const context = createContext({ exports: {}, require: () => played });
  const before = globalsOf(context);
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  runInContext(outputText, context);
  const [definition] = defined;
  if (definition === undefined) throw new Error("The source defines no test.");
  const sentRequests: TestRequest[] = [];
  await definition.scenarios.visitors.exec(contextFor(sentRequests));
  return { definition, sentRequests, globals: globalsOf(context).filter((name) => !before.includes(name)) };
}

function globalsOf(context: object): string[] {
  const names: unknown = runInContext(
    "[...Object.getOwnPropertyNames(globalThis), ...Object.getOwnPropertyNames(Object.prototype), ...Object.getOwnPropertyNames(Array.prototype)]",
    createContext(context),
  );
  return Array.isArray(names) ? names.map(String) : [];
}

function contextFor(sentRequests: TestRequest[]): unknown {
  const request = async (method: string, url: string, options = {}): Promise<unknown> => {
    sentRequests.push({ method, url, options });
    return { status: 200 };
  };
  const send =
    (method: string): Send =>
    (url, options) =>
      request(method, url, options);
  const run = async (_name: string, body: () => unknown): Promise<unknown> => body();
  return {
    http: {
      ...Object.fromEntries(
        ["get", "post", "put", "patch", "delete", "head", "options"].map((name) => [
          name,
          send(name.toUpperCase()),
        ]),
      ),
      request,
      batch: (requests: readonly (string | Readonly<Record<string, unknown>>)[]) =>
        Promise.all(requests.map((one) => sendOne(one, request))),
      cookies: { get: () => "cookie", set: () => undefined },
    },
    page: run,
    group: run,
    check: () => true,
    think: async () => undefined,
    sleep: async () => undefined,
    env: new Proxy({}, { get: () => "variable" }),
    random: Object.assign(() => 0.5, { uuid: () => "uuid", integer: () => 1 }),
    iteration: { index: 0, indexInVu: 0 },
  };
}

function sendOne(
  one: string | Readonly<Record<string, unknown>>,
  request: (method: string, url: string, options?: Readonly<Record<string, unknown>>) => Promise<unknown>,
): Promise<unknown> {
  if (typeof one === "string") return request("GET", one);
  const { method = "GET", url, ...options } = one;
  return request(String(method), String(url), options);
}
