import type { RequestOptions } from "@bearhug/sdk";
import { z, cacheKinds, connectionScopes, cookieScopes, transportNames, once } from "@bearhug/sdk/internal";
import { oneOf } from "@bearhug/text/closest-name";
import { durationSchema } from "../validation/duration.ts";
import { chosenSchema, optionsObject, checkedText } from "../validation/option-schemas.ts";
import { authSchema } from "./auth.ts";
import { defaultDns, dnsSchema } from "./dns.ts";
import { expectFlagSchema, expectSchema } from "./expect.ts";
import { headersSchema } from "./headers.ts";
import { hostsSchema } from "./host-destinations.ts";
import { type GivenHttp, type GivenOption, protocols, type ValidatedHttp } from "./validated-http.ts";
import {
  addressProblem,
  noProxyProblem,
  proxyProblem,
  socketPathProblem,
  withProxyScheme,
} from "./http-rules.ts";
import { defaultTimeouts, mergeTimeouts, timeoutSchema } from "./timeouts.ts";
import { defaultTls, tlsSchema } from "./tls.ts";

export type HttpOptionName = keyof ValidatedHttp;

/**
 * The name of an option that a single request may set, too. Its `headers` and `cookies` are different
 * options.
 */
export type RequestHttpOptionName = Exclude<HttpOptionName & keyof RequestOptions, "headers" | "cookies">;

/** One option of `http`: all facts about it besides its type. */
export interface HttpOption<Name extends HttpOptionName> {
  /** Reads the value in a test. */
  readonly schema: () => z.ZodType<GivenOption<Name>>;
  readonly default: ValidatedHttp[Name];
  /** Merges a value into the value that it overrides. @default replaces that value */
  readonly merge?: (base: ValidatedHttp[Name], given: GivenOption<Name>) => ValidatedHttp[Name];
  /** The flag of the command line, which is named after the option: its value, unless it is a switch, and its help. */
  readonly flag?: {
    readonly short?: string;
    readonly value?: string;
    readonly help: string;
    /** Its topic in help. @default "HTTP client" */
    readonly topic?: string;
    /** Reads the flag's text, if its form differs from the value in a test. */
    readonly schema?: () => z.ZodType<GivenOption<Name>>;
  };
}

/** Marks the options that a single request may set, too. */
type ForRequests<Name> = Name extends RequestHttpOptionName
  ? { readonly isForRequests: true }
  : { readonly isForRequests?: never };

const atLeastOne = once(() => z.int().min(1));

/** The options of `http`. The validated type, defaults, merging, flags and the check of the documentation derive from it. */
export const httpOptions: { readonly [Name in HttpOptionName]: HttpOption<Name> & ForRequests<Name> } = {
  headers: { schema: headersSchema, default: [] },
  timeout: {
    schema: timeoutSchema,
    default: defaultTimeouts,
    merge: mergeTimeouts,
    isForRequests: true,
    flag: { short: "-T", value: "<time>", help: "default request timeout: 5s" },
  },
  discardBodies: {
    schema: once(() => z.boolean()),
    default: false,
    isForRequests: true,
    flag: { help: "count response bytes, keep no bodies" },
  },
  maxBodySize: { schema: atLeastOne, default: null, isForRequests: true },
  cookies: { schema: once(() => z.enum(cookieScopes)), default: "iteration" },
  cache: { schema: once(() => z.enum(cacheKinds)), default: "none" },
  connections: { schema: once(() => z.enum(connectionScopes)), default: "perVu" },
  maxConnections: { schema: atLeastOne, default: null },
  maxRequestsPerConnection: {
    schema: atLeastOne,
    default: null,
    flag: { value: "<n>", help: "close a connection after this many requests" },
  },
  maxConnectionAge: {
    schema: once(() => durationSchema()),
    default: null,
    flag: { value: "<time>", help: "close a connection at this age, to notice changes of DNS: 30s" },
  },
  protocol: {
    schema: once(() => z.enum(Object.keys(protocols) as ValidatedHttp["protocol"][])),
    default: "auto",
    flag: { value: "<name>", help: oneOf(Object.values(protocols).map(({ help }) => help)) },
  },
  transport: {
    schema: once(() => z.enum(transportNames)),
    default: "bearhug",
    flag: { value: "<name>", help: `the HTTP client to send with: ${oneOf(transportNames)}` },
  },
  pipelining: { schema: once(() => atLeastOne().max(100)), default: 1 },
  maxConcurrentStreams: {
    schema: atLeastOne,
    default: 100,
    flag: { value: "<n>", help: "concurrent requests on one HTTP/2 connection, at most" },
  },
  tls: { schema: tlsSchema, default: defaultTls },
  dns: { schema: dnsSchema, default: defaultDns },
  hosts: { schema: hostsSchema, default: {} },
  proxy: {
    schema: once(() => checkedText(proxyProblem).transform(withProxyScheme)),
    default: null,
    merge: (_base, given) => (given === "" ? null : given),
    flag: {
      short: "-x",
      value: "<url>",
      help: "send requests through this proxy: http://user:password@host:3128, or https, socks5, socks5h",
    },
  },
  noProxy: {
    schema: once(() =>
      z.preprocess(
        (value) =>
          // Variables that other tools read also contain paths, such as that of Docker's socket: they are no
          // hosts.
          typeof value === "string" ? value.split(/[\s,]+/).filter((entry) => /^[^/]/.test(entry)) : value,
        z.array(checkedText(noProxyProblem)),
      ),
    ),
    default: [],
    flag: {
      value: "<hosts>",
      help: "connect to these hosts without the proxy: localhost,*.internal,10.0.0.0/8",
    },
  },
  unixSocket: {
    schema: once(() => checkedText(socketPathProblem)),
    default: null,
    flag: { value: "<path>", help: "connect to this Unix socket instead of the host" },
  },
  localAddresses: { schema: once(() => z.array(checkedText(addressProblem))), default: [] },
  auth: { schema: authSchema, default: null, isForRequests: true },
  redirects: { schema: once(() => z.int().min(0)), default: 10, isForRequests: true },
  expect: {
    schema: expectSchema,
    default: null,
    isForRequests: true,
    flag: {
      value: "<statuses>",
      help: "statuses that are no failure, instead of 200-399: 404, or 2xx,404",
      topic: "Pass or fail",
      schema: expectFlagSchema,
    },
  },
  throwOnError: { schema: once(() => z.boolean()), default: false, isForRequests: true },
  retryOnStaleConnection: { schema: once(() => z.boolean()), default: false, isForRequests: true },
  traceparent: {
    schema: once(() => z.boolean()),
    default: false,
    flag: { help: "begin a trace with each request, to find it in the target's traces" },
  },
  origin: { schema: once(() => z.boolean()), default: false },
};

/** The names of all options, in the order of the documentation. */
export const httpOptionNames: readonly HttpOptionName[] = namesOf(httpOptions);

/** The options of requests if none are set. */
export const defaultHttp: ValidatedHttp = everyOption((name) => httpOptions[name].default);

/**
 * Reads the options that are set; contradictions between them are found elsewhere. Only their schemas are
 * built: most tests set few options, and building all schemas takes longer than sending a request.
 */
export const httpSchema: () => z.ZodType<GivenHttp> = once(() =>
  chosenSchema((value) => {
    const given = httpOptionNames.filter((name) => isObject(value) && name in value);
    const shape = Object.fromEntries(given.map((name) => [name, httpOptions[name].schema().optional()]));
    return optionsObject("http", shape, undefined, httpOptionNames);
  }),
);

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Merges the options that are set into those of the test, each by its own rule. */
export function mergeHttp(base: ValidatedHttp, given: GivenHttp): ValidatedHttp {
  return everyOption((name) => mergeOption(name, base[name], given[name]));
}

/** Merges one option into the value that it overrides; undefined leaves that value. */
export function mergeOption<Name extends HttpOptionName>(
  name: Name,
  base: ValidatedHttp[Name],
  given: GivenHttp[Name],
): ValidatedHttp[Name] {
  const { merge } = httpOptions[name];
  if (given === undefined) return base;
  // An option without a merge rule has the same form in tests and in `ValidatedHttp`.
  return merge === undefined ? (given as ValidatedHttp[Name]) : merge(base, given);
}

function everyOption(valueOf: (name: HttpOptionName) => ValidatedHttp[HttpOptionName]): ValidatedHttp {
  const values: Record<string, unknown> = Object.fromEntries(
    httpOptionNames.map((name) => [name, valueOf(name)]),
  );
  return values as ValidatedHttp;
}

function namesOf(table: typeof httpOptions): HttpOptionName[] {
  return Object.keys(table) as HttpOptionName[];
}
