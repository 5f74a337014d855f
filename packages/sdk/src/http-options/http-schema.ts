import { z } from "zod";
import { authSchema } from "./auth-schema.ts";
import { chosenSchema, oneOrMore, ruledText } from "../validation/chosen-schema.ts";
import { defaultHttp } from "./default-http.ts";
import { durationSchema } from "../duration/duration-schema.ts";
import { expectSchema } from "./expect-schema.ts";
import { destinationProblem, hostKey, hostKeyProblem } from "./host-destinations.ts";
import { headerNameProblem, headerValueProblem } from "./header-rules.ts";
import {
  addressProblem,
  nameServerProblem,
  noProxyProblem,
  proxyProblem,
  socketPathProblem,
} from "./http-rules.ts";
import { optionsObject } from "../validation/options-object.ts";
import { tlsSchema } from "./tls-schema.ts";
import { transportNames } from "./transport-names.ts";
import type { ValidatedDns, ValidatedHttp, ValidatedTimeouts } from "./validated-http.ts";

/** What was said of how requests are sent; undefined where nothing was. */
export type GivenHttp = {
  readonly [Name in Exclude<keyof ValidatedHttp, "timeouts">]?: NonNullable<ValidatedHttp[Name]> | undefined;
} & { readonly timeouts?: GivenTimeouts | undefined };

/** The parts of an exchange whose longest time was said. */
type GivenTimeouts = { readonly [Part in keyof ValidatedTimeouts]?: number | undefined };

const { dns: defaultDns } = defaultHttp;
const atLeastOne = z.int().min(1);
const address = ruledText(addressProblem);

const timeouts: z.ZodType<GivenTimeouts> = optionsObject("timeout", {
  connect: durationSchema().optional(),
  firstByte: durationSchema().optional(),
  whole: durationSchema().optional(),
}).transform(({ connect, firstByte, whole }) => ({
  connectMs: connect,
  firstByteMs: firstByte,
  wholeMs: whole,
}));

const wholeTimeout: z.ZodType<GivenTimeouts> = durationSchema().transform((wholeMs) => ({ wholeMs }));

const timeout = chosenSchema((value) =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? timeouts : wholeTimeout,
);

const headers = z
  .preprocess(headerRecord, z.record(ruledText(headerNameProblem), oneOrMore(ruledText(headerValueProblem))))
  .transform((record) =>
    Object.entries(record).flatMap(([name, values]) => values.flatMap((value) => [name, value])),
  );

const hosts = z
  .record(ruledText(hostKeyProblem), oneOrMore(ruledText(destinationProblem)))
  .transform((record) =>
    Object.fromEntries(Object.entries(record).map(([host, destinations]) => [hostKey(host), destinations])),
  );

const dns: z.ZodType<ValidatedDns> = optionsObject("dns", {
  ttl: durationSchema(0).default(defaultDns.ttlMs),
  policy: z.enum(["preferIPv4", "preferIPv6", "onlyIPv4", "onlyIPv6", "any"]).default(defaultDns.policy),
  select: z.enum(["first", "roundRobin", "random"]).default(defaultDns.select),
  servers: z.array(ruledText(nameServerProblem)).default([]),
}).transform(({ ttl, ...rest }) => ({ ...rest, ttlMs: ttl }));

const noProxy = z.preprocess(
  (value) => (typeof value === "string" ? value.split(/[\s,]+/).filter((entry) => entry !== "") : value),
  z.array(ruledText(noProxyProblem)),
);

const shape = {
  headers: headers.optional(),
  timeout: timeout.optional(),
  discardBodies: z.boolean().optional(),
  maxBodySize: atLeastOne.optional(),
  cookies: z.enum(["iteration", "vu", "off"]).optional(),
  cache: z.enum(["none", "browser"]).optional(),
  connections: z.enum(["perVu", "shared", "perRequest"]).optional(),
  maxConnections: atLeastOne.optional(),
  maxRequestsPerConnection: atLeastOne.optional(),
  protocol: z.enum(["auto", "http1", "http2", "h2c"]).optional(),
  transport: z.enum(transportNames).optional(),
  maxConcurrentStreams: atLeastOne.optional(),
  tls: tlsSchema.optional(),
  dns: dns.optional(),
  hosts: hosts.optional(),
  proxy: ruledText(proxyProblem).optional(),
  noProxy: noProxy.optional(),
  unixSocket: ruledText(socketPathProblem).optional(),
  localAddresses: z.array(address).optional(),
  auth: authSchema.optional(),
  redirects: z.int().min(0).optional(),
  expect: expectSchema.optional(),
  throwOnError: z.boolean().optional(),
  retryOnStaleConnection: z.boolean().optional(),
};

/** How requests are sent, as far as it is said; what options say together is judged apart. */
export const httpSchema: z.ZodType<GivenHttp> = optionsObject("http", shape).transform(
  ({ timeout: timeoutsOfAll, maxBodySize, ...rest }) => ({
    ...rest,
    timeouts: timeoutsOfAll,
    maxBodyBytes: maxBodySize,
  }),
);

const schemas = new Map<string, z.ZodType>(Object.entries(shape));

/** What is left of options that cannot all be used, so that what the others say together is judged nevertheless. */
export function usableHttp(value: unknown): GivenHttp {
  if (typeof value !== "object" || value === null) return {};
  const usable = Object.entries(value)
    .map(([name, given]) => [name, name === "headers" ? usableHeaders(given) : given] as const)
    .filter(([name, given]) => schemas.get(name)?.safeParse(given).success === true);
  return httpSchema.parse(Object.fromEntries(usable));
}

function usableHeaders(value: unknown): unknown {
  const record = headerRecord(value);
  if (typeof record !== "object" || record === null) return record;
  const all: [name: string, value: unknown][] = Object.entries(record);
  return Object.fromEntries(all.filter(([name, given]) => headers.safeParse({ [name]: given }).success));
}

/** Pairs (a `Headers`, a `Map`, a list of them) as an object of names and values; what is none is left as it is. */
function headerRecord(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !(Symbol.iterator in value)) return value;
  const pairs = z.array(z.tuple([z.string(), z.unknown()])).safeParse([...(value as Iterable<unknown>)]);
  if (!pairs.success) return value;
  const values = new Map<string, unknown[]>();
  for (const [name, one] of pairs.data) values.set(name, [...(values.get(name) ?? []), one]);
  return Object.fromEntries(values);
}
