import { z } from "zod";
import { oneOrMore, ruledText } from "../validation/chosen-schema.ts";
import { defaultHttp } from "./default-http.ts";
import { hostNameProblem } from "./http-rules.ts";
import { optionsObject } from "../validation/options-object.ts";
import type { TlsVersion, ValidatedTls, ValidatedTlsClient } from "./validated-http.ts";

const versions = ["1.0", "1.1", "1.2", "1.3"] as const;
const { tls: defaults } = defaultHttp;

/** Not shown where it is wrong: it may be a key. */
const pem = z.string({ error: "must be a string: PEM, or the path of a PEM file" }).min(1);

const passphrase = z.string({ error: "must be a string" });

const client: z.ZodType<ValidatedTlsClient> = optionsObject("tls.clients", {
  cert: pem,
  key: pem,
  passphrase: passphrase.nullable().default(null),
});

/** Whether options are there says enough, whatever is wrong with them. */
const toldWithTheRest = {
  when: ({ value }: { readonly value: unknown }): boolean => typeof value === "object" && value !== null,
};

/** How TLS connections are made. */
export const tlsSchema: z.ZodType<ValidatedTls> = optionsObject("tls", {
  ca: oneOrMore(pem).optional(),
  cert: pem.optional(),
  key: pem.optional(),
  passphrase: passphrase.optional(),
  clients: z.array(client).min(1).default([]),
  serverName: ruledText(hostNameProblem).optional(),
  insecureSkipTlsVerify: z.boolean().default(defaults.insecureSkipTlsVerify),
  minVersion: z.enum(versions).default(defaults.minVersion),
  maxVersion: z.enum(versions).default(defaults.maxVersion),
  ciphers: z.string().min(1).optional(),
  resumeSessions: z.boolean().default(defaults.resumeSessions),
})
  .refine(({ cert, key }) => cert === undefined || key !== undefined, {
    ...toldWithTheRest,
    path: ["cert"],
    error: "needs its key: set tls.key, too",
  })
  .refine(({ cert, key }) => key === undefined || cert !== undefined, {
    ...toldWithTheRest,
    path: ["key"],
    error: "needs its certificate: set tls.cert, too",
  })
  .refine(({ passphrase, key }) => passphrase === undefined || key !== undefined, {
    ...toldWithTheRest,
    path: ["passphrase"],
    error: "is for tls.key, which is missing",
  })
  .refine(({ clients, cert }) => clients.length === 0 || cert === undefined, {
    ...toldWithTheRest,
    path: ["clients"],
    error: "can't be together with tls.cert: leave one of them out",
  })
  .superRefine(({ minVersion, maxVersion }, context) => {
    if (!isOlder(maxVersion, minVersion)) return;
    const message = `must not be older than minVersion (${minVersion}), but is ${maxVersion}: set minVersion, too`;
    context.addIssue({ code: "custom", path: ["maxVersion"], message });
  })
  .transform(({ ca, cert, key, passphrase, serverName, ciphers, ...rest }) => ({
    ...rest,
    ca: ca ?? null,
    cert: cert ?? null,
    key: key ?? null,
    passphrase: passphrase ?? null,
    serverName: serverName ?? null,
    ciphers: ciphers ?? null,
  }));

/** Whether a version of TLS came before another. */
export function isOlder(version: TlsVersion, than: TlsVersion): boolean {
  return versions.indexOf(version) < versions.indexOf(than);
}
