import { tlsVersions, z, once } from "@bearhug/sdk/internal";
import { oneOrMore, optionsObject, checkedText } from "../validation/option-schemas.ts";
import { hostNameProblem } from "./http-rules.ts";

type TlsVersion = (typeof tlsVersions)[number];

/**
 * Certificates and keys are PEM or the path of a file and, once the files are read, always PEM: even PKCS
 * #12.
 */
export interface ValidatedTls {
  /** Null for Node's own authorities. */
  readonly ca: readonly string[] | null;
  readonly cert: string | null;
  readonly key: string | null;
  readonly passphrase: string | null;
  /** One for each virtual user in turn; empty if all use `cert`. */
  readonly clients: readonly ValidatedTlsClient[];
  readonly serverName: string | null;
  readonly insecureSkipTlsVerify: boolean;
  readonly minVersion: TlsVersion;
  readonly maxVersion: TlsVersion;
  readonly ciphers: string | null;
  readonly resumeSessions: boolean;
}

export interface ValidatedTlsClient {
  readonly cert: string;
  readonly key: string | null;
  readonly passphrase: string | null;
}

export const defaultTls: ValidatedTls = {
  ca: null,
  cert: null,
  key: null,
  passphrase: null,
  clients: [],
  serverName: null,
  insecureSkipTlsVerify: false,
  minVersion: "1.2",
  maxVersion: "1.3",
  ciphers: null,
  resumeSessions: true,
};

/** The message does not show an invalid value, which may be a key. */
const pem = once(() => z.string({ error: "must be a string: PEM, or the path of a file" }).min(1));

const passphrase = once(() => z.string({ error: "must be a string" }));

/** Runs a check even if other options are invalid, so that all problems are reported together. */
const evenIfOthersFail = {
  when: ({ value }: { readonly value: unknown }): boolean => typeof value === "object" && value !== null,
};

const client: () => z.ZodType<ValidatedTlsClient> = once(() =>
  optionsObject("tls.clients", {
    cert: pem(),
    key: pem().nullable().default(null),
    passphrase: passphrase().nullable().default(null),
  }).refine(({ cert, key }) => key !== null || mayHoldKey(cert), {
    ...evenIfOthersFail,
    path: ["cert"],
    error: "needs its key: set key, too",
  }),
);

export const tlsSchema: () => z.ZodType<ValidatedTls> = once(() =>
  optionsObject("tls", {
    ca: oneOrMore(pem()).optional(),
    cert: pem().optional(),
    key: pem().optional(),
    passphrase: passphrase().optional(),
    clients: z.array(client()).min(1).default([]),
    serverName: checkedText(hostNameProblem).optional(),
    insecureSkipTlsVerify: z.boolean().default(defaultTls.insecureSkipTlsVerify),
    minVersion: z.enum(tlsVersions).default(defaultTls.minVersion),
    maxVersion: z.enum(tlsVersions).default(defaultTls.maxVersion),
    ciphers: z.string().min(1).optional(),
    resumeSessions: z.boolean().default(defaultTls.resumeSessions),
  })
    .refine(({ cert, key }) => cert === undefined || key !== undefined || mayHoldKey(cert), {
      ...evenIfOthersFail,
      path: ["cert"],
      error: "needs its key: set tls.key, too",
    })
    .refine(({ cert, key }) => key === undefined || cert !== undefined, {
      ...evenIfOthersFail,
      path: ["key"],
      error: "needs its certificate: set tls.cert, too",
    })
    .refine(
      ({ passphrase, key, cert }) => passphrase === undefined || key !== undefined || cert !== undefined,
      { ...evenIfOthersFail, path: ["passphrase"], error: "is for tls.cert and tls.key, which are missing" },
    )
    .refine(({ clients, cert }) => clients.length === 0 || cert === undefined, {
      ...evenIfOthersFail,
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
    })),
);

/** Returns the base64 of a PKCS #12 in PEM; null if the text has none. */
export function pfxInPem(text: string): string | null {
  return /-----BEGIN PKCS12-----([^-]*)-----END PKCS12-----/.exec(text)?.[1] ?? null;
}

/**
 * True unless the certificate is PEM without a key. A file may include its key; invalid values are reported
 * elsewhere.
 */
function mayHoldKey(cert: unknown): boolean {
  return typeof cert !== "string" || !cert.includes("-----BEGIN") || /PRIVATE KEY|PKCS12/.test(cert);
}

/** Returns true if a version of TLS came before another. */
export function isOlder(version: TlsVersion, than: TlsVersion): boolean {
  return tlsVersions.indexOf(version) < tlsVersions.indexOf(than);
}
