import { createContext, runInContext } from "node:vm";

import { endsAt, jsonFieldIs, noJsonErrors, redirectsTo, statusIs } from "@bearhug/sdk";
import ts from "typescript";

/** A request as a test asks for it. */
export interface AskedFor {
  readonly method: string;
  readonly url: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** What a written test is and does. */
export interface Played {
  readonly definition: Definition;
  readonly asked: readonly AskedFor[];
  /** What importing the test left in its surroundings. */
  readonly globals: readonly string[];
}

interface Definition {
  readonly baseUrl: string;
  readonly http?: { readonly headers?: Readonly<Record<string, string>> };
  readonly scenarios: { readonly visitors: { readonly exec: (context: unknown) => Promise<void> } };
}

type Send = (url: string, options?: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** Runs a test's one iteration in a world of its own, where all requests are noted and none is sent. */
export async function playSource(source: string): Promise<Played> {
  const defined: Definition[] = [];
  const sdk = {
    defineTest: (given: Definition) => defined.push(given),
    extract: () => "extracted",
    fromBase64: (base64: string) => new TextEncoder().encode(base64),
    endsAt,
    jsonFieldIs,
    noJsonErrors,
    redirectsTo,
    statusIs,
  };
  const world = createContext({ exports: {}, require: () => sdk });
  const before = globalsOf(world);
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  runInContext(outputText, world);
  const [definition] = defined;
  if (definition === undefined) throw new Error("The source defines no test.");
  const asked: AskedFor[] = [];
  await definition.scenarios.visitors.exec(contextFor(asked));
  return { definition, asked, globals: globalsOf(world).filter((name) => !before.includes(name)) };
}

function globalsOf(world: object): string[] {
  const names: unknown = runInContext(
    "[...Object.getOwnPropertyNames(globalThis), ...Object.getOwnPropertyNames(Object.prototype), ...Object.getOwnPropertyNames(Array.prototype)]",
    createContext(world),
  );
  return Array.isArray(names) ? names.map(String) : [];
}

function contextFor(asked: AskedFor[]): unknown {
  const request = async (method: string, url: string, options = {}): Promise<unknown> => {
    asked.push({ method, url, options });
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
        Promise.all(requests.map((one) => askForOne(one, request))),
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

function askForOne(
  one: string | Readonly<Record<string, unknown>>,
  request: (method: string, url: string, options?: Readonly<Record<string, unknown>>) => Promise<unknown>,
): Promise<unknown> {
  if (typeof one === "string") return request("GET", one);
  const { method = "GET", url, ...options } = one;
  return request(String(method), String(url), options);
}
