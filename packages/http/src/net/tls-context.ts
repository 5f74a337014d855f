import nodeTls, {
  createSecureContext,
  type SecureContext,
  type SecureContextOptions,
  type SecureVersion,
} from "node:tls";

import { pfxInPem, type ValidatedTls } from "@bearhug/plan/http-options/tls";

/** Creates a TLS context, which takes 0.25 ms. Certificates and keys are PEM, validated with the plan. */
export function createTlsContext(tls: ValidatedTls): SecureContext {
  return createSecureContext(contextOptions(tls));
}

/** Creates the context for TLS with a proxy, which does not get the client's certificate. */
export function createProxyTlsContext(tls: ValidatedTls): SecureContext {
  return createSecureContext(contextOptions({ ...tls, cert: null, key: null, passphrase: null }));
}

function contextOptions(tls: ValidatedTls): SecureContextOptions {
  const { ca, cert, key, passphrase, ciphers, minVersion, maxVersion } = tls;
  // OpenSSL supports versions before 1.2 only at its lowest security level.
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

/** Returns the options for a certificate. A PKCS #12 file contains its key. */
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
