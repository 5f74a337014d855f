import { z } from "zod";
import { chosenSchema, oneOrMore, ruledText } from "./chosen-schema.ts";
import { defaultHttp } from "./default-http.ts";
import { durationSchema } from "./duration-schema.ts";
import {
  addressProblem,
  headerNameProblem,
  headerValueProblem,
  hostNameProblem,
  nameServerProblem,
  proxyProblem,
  socketPathProblem,
} from "./http-rules.ts";
import { optionsObject } from "./options-object.ts";
import { tlsSchema } from "./tls-schema.ts";
import type { ValidatedDns, ValidatedHttp, ValidatedTimeouts } from "./validated-http.ts";

/** What was said of how requests are sent; undefined where nothing was. */
export type GivenHttp = {
  readonly [Name in keyof ValidatedHttp]?: NonNullable<ValidatedHttp[Name]> | undefined;
};

const { timeouts: defaultTimeouts, dns: defaultDns } = defaultHttp;
const atLeastOne = z.int().min(1);
const address = ruledText(addressProblem);

const timeouts: z.ZodType<ValidatedTimeouts> = optionsObject("timeout", {
  connect: durationSchema().optional(),
  firstByte: durationSchema().optional(),
  whole: durationSchema().optional(),
}).transform(({ connect, firstByte, whole }) => ({
  connectMs: connect ?? null,
  firstByteMs: firstByte ?? null,
  wholeMs: whole ?? defaultTimeouts.wholeMs,
}));

const wholeTimeout: z.ZodType<ValidatedTimeouts> = durationSchema().transform((wholeMs) => ({
  ...defaultTimeouts,
  wholeMs,
}));

const timeout = chosenSchema((value) =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? timeouts : wholeTimeout,
);

const headers = z
  .record(ruledText(headerNameProblem), oneOrMore(ruledText(headerValueProblem)))
  .transform((record) =>
    Object.entries(record).flatMap(([name, values]) => values.flatMap((value) => [name, value])),
  );

const hosts = z
  .record(ruledText(hostNameProblem), oneOrMore(address))
  .transform((record) =>
    Object.fromEntries(Object.entries(record).map(([host, addresses]) => [host.toLowerCase(), addresses])),
  );

const dns: z.ZodType<ValidatedDns> = optionsObject("dns", {
  ttl: durationSchema(0).default(defaultDns.ttlMs),
  policy: z.enum(["preferIPv4", "preferIPv6", "onlyIPv4", "onlyIPv6", "any"]).default(defaultDns.policy),
  select: z.enum(["first", "roundRobin", "random"]).default(defaultDns.select),
  servers: z.array(ruledText(nameServerProblem)).default([]),
}).transform(({ ttl, ...rest }) => ({ ...rest, ttlMs: ttl }));

/** How requests are sent, as far as it is said; what options say together is judged apart. */
export const httpSchema: z.ZodType<GivenHttp> = optionsObject("http", {
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
  maxConcurrentStreams: atLeastOne.optional(),
  tls: tlsSchema.optional(),
  dns: dns.optional(),
  hosts: hosts.optional(),
  proxy: ruledText(proxyProblem).optional(),
  unixSocket: ruledText(socketPathProblem).optional(),
  localAddresses: z.array(address).optional(),
})
  .refine(
    ({ protocol, maxConcurrentStreams }) => protocol !== "http1" || maxConcurrentStreams === undefined,
    {
      path: ["maxConcurrentStreams"],
      error: 'is for HTTP/2, but the protocol is "http1"',
    },
  )
  .transform(({ timeout: timeoutsOfAll, maxBodySize, ...rest }) => ({
    ...rest,
    timeouts: timeoutsOfAll,
    maxBodyBytes: maxBodySize,
  }));
