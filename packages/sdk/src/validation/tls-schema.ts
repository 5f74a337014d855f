import { z } from "zod";
import { oneOrMore, ruledText } from "./chosen-schema.ts";
import { defaultHttp } from "./default-http.ts";
import { hostNameProblem } from "./http-rules.ts";
import { optionsObject } from "./options-object.ts";
import type { TlsVersion, ValidatedTls } from "./validated-http.ts";

const versions = ["1.0", "1.1", "1.2", "1.3"] as const;
const { tls: defaults } = defaultHttp;

/** Not shown where it is wrong: it may be a key. */
const pem = z.string({ error: "must be a text: PEM, or the path of a file that holds it" }).min(1);

/** How TLS connections are made. */
export const tlsSchema: z.ZodType<ValidatedTls> = optionsObject("tls", {
  ca: oneOrMore(pem).optional(),
  cert: pem.optional(),
  key: pem.optional(),
  passphrase: z.string({ error: "must be a text" }).optional(),
  serverName: ruledText(hostNameProblem).optional(),
  insecureSkipTlsVerify: z.boolean().default(defaults.insecureSkipTlsVerify),
  minVersion: z.enum(versions).default(defaults.minVersion),
  maxVersion: z.enum(versions).default(defaults.maxVersion),
  ciphers: z.string().min(1).optional(),
  resumeSessions: z.boolean().default(defaults.resumeSessions),
})
  .superRefine(({ cert, key, passphrase, minVersion, maxVersion }, context) => {
    const add = (option: string, message: string): void => {
      context.addIssue({ code: "custom", path: [option], message });
    };
    if (cert !== undefined && key === undefined) add("cert", "needs its key: set tls.key, too");
    if (key !== undefined && cert === undefined) add("key", "needs its certificate: set tls.cert, too");
    if (passphrase !== undefined && key === undefined) add("passphrase", "is for tls.key, which is missing");
    if (isOlder(maxVersion, minVersion)) {
      add(
        "maxVersion",
        `must not be older than minVersion (${minVersion}), but is ${maxVersion}: set minVersion, too`,
      );
    }
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
