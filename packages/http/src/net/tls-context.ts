import nodeTls, {
  createSecureContext,
  type SecureContext,
  type SecureContextOptions,
  type SecureVersion,
} from "node:tls";

import { pfxInPem, type ValidatedTls } from "@bearhug/sdk/internal";

/** Made once: it costs a quarter of a millisecond. Certificates and keys are PEM, tried when the plan was made. */
export function createTlsContext(tls: ValidatedTls): SecureContext {
  return createSecureContext(contextOptions(tls));
}

/** For TLS with a proxy, to which the client's certificate is not shown. */
export function createProxyTlsContext(tls: ValidatedTls): SecureContext {
  return createSecureContext(contextOptions({ ...tls, cert: null, key: null, passphrase: null }));
}

function contextOptions(tls: ValidatedTls): SecureContextOptions {
  const { ca, cert, key, passphrase, ciphers, minVersion, maxVersion } = tls;
  // OpenSSL speaks versions before 1.2 on its lowest level of security alone.
  const isOld = maxVersion === "1.0" || maxVersion === "1.1" || minVersion === "1.0" || minVersion === "1.1";
  const chosenCiphers = ciphers ?? (isOld ? `${nodeTls.DEFAULT_CIPHERS}:@SECLEVEL=0` : null);
  return {
    minVersion: versions[minVersion],
    maxVersion: versions[maxVersion],
    ...(ca === null ? {} : { ca: [...ca] }),
    ...certificateOptions(cert),
    ...(key === null ? {} : { key }),
    ...(passphrase === null ? {} : { passphrase }),
    ...(chosenCiphers === null ? {} : { ciphers: chosenCiphers }),
  };
}

/** PKCS #12 has its key within. */
function certificateOptions(cert: string | null): Pick<SecureContextOptions, "cert" | "pfx"> {
  if (cert === null) return {};
  const pfx = pfxInPem(cert);
  return pfx === null ? { cert } : { pfx: Buffer.from(pfx, "base64") };
}

const versions: Readonly<Record<ValidatedTls["minVersion"], SecureVersion>> = {
  "1.0": "TLSv1",
  "1.1": "TLSv1.1",
  "1.2": "TLSv1.2",
  "1.3": "TLSv1.3",
};
