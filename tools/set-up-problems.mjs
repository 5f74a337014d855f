/**
 * Explanations of a failed set-up, by patterns in the installer's output. The first match is used.
 * @type {readonly { readonly pattern: RegExp, readonly explanation: string }[]}
 */
const problems = [
  {
    pattern: /\bENOSPC\b|no space left on device/i,
    explanation: "the disk is full. Free about 1 GB where this folder and npm's cache are, and run it again.",
  },
  {
    pattern: /ERR_PNPM_(OUTDATED_LOCKFILE|NO_LOCKFILE|LOCKFILE_CONFIG_MISMATCH|BROKEN_LOCKFILE)/,
    explanation:
      "pnpm-lock.yaml does not match the package.json files. If you changed a dependency, " +
      "run `npx {pnpm} install --no-frozen-lockfile` and commit the lock file; if not, restore both from git.",
  },
  {
    pattern: /\b(EACCES|EPERM|EROFS)\b/,
    explanation:
      "a file could not be written. Look at who owns this folder and npm's cache (`npm config get cache`).",
  },
  {
    pattern:
      /\b(SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT_LOCALLY|CERT_HAS_EXPIRED)\b/,
    explanation:
      "the npm registry's certificate is not trusted here. " +
      "Behind a company proxy, give its certificate with NODE_EXTRA_CA_CERTS or `npm config set cafile`.",
  },
  {
    pattern: /\b(E401|E403|ERR_PNPM_FETCH_40[13])\b/,
    explanation:
      "the npm registry refused. Check `npm config get registry` and that you are logged in to it.",
  },
  {
    pattern:
      /\b(E404|ETARGET|ERR_PNPM_FETCH_404|ERR_PNPM_NO_MATCHING_VERSION|EINTEGRITY|ERR_PNPM_TARBALL_INTEGRITY)\b/,
    explanation:
      "the npm registry lacks a package, or gave another one than the lock file names. " +
      "Check `npm config get registry`: a mirror may be behind.",
  },
  {
    pattern:
      /\b(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|ERR_PNPM_META_FETCH_FAIL|ERR_PNPM_FETCH_5\d\d|E5\d\d|UND_ERR_\w+TIMEOUT)\b|fetch failed|network timeout/,
    explanation:
      "the npm registry cannot be reached. Check the network, `npm config get registry`, " +
      "and the proxy (HTTPS_PROXY, or `npm config get https-proxy`).",
  },
];

/**
 * Returns a sentence about what could not be installed, why, and what to do about it.
 * @param {string} output the installer's whole output
 * @param {string} pnpm the pnpm that installs, such as "pnpm@10.0.0"
 */
export function explainInstallFailure(output, pnpm) {
  const known = problems.find(({ pattern }) => pattern.test(output));
  const why = known?.explanation ?? "the lines above say why; `npx {pnpm} install` alone shows them again.";
  return `Could not install what bearhug's workspace needs: ${why.replaceAll("{pnpm}", pnpm)}`;
}
