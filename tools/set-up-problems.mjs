/**
 * What people see when set-up fails, by what the installer printed. The first that matches is told.
 * @type {readonly { readonly sign: RegExp, readonly tell: string }[]}
 */
const problems = [
  {
    sign: /\bENOSPC\b|no space left on device/i,
    tell: "the disk is full. Free about 1 GB where this folder and npm's cache are, and run it again.",
  },
  {
    sign: /ERR_PNPM_(OUTDATED_LOCKFILE|NO_LOCKFILE|LOCKFILE_CONFIG_MISMATCH|BROKEN_LOCKFILE)/,
    tell:
      "pnpm-lock.yaml does not match the package.json files. If you changed a dependency, " +
      "run `npx {pnpm} install --no-frozen-lockfile` and commit the lock file; if not, restore both from git.",
  },
  {
    sign: /\b(EACCES|EPERM|EROFS)\b/,
    tell: "a file could not be written. Look at who owns this folder and npm's cache (`npm config get cache`).",
  },
  {
    sign: /\b(SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT_LOCALLY|CERT_HAS_EXPIRED)\b/,
    tell:
      "the npm registry's certificate is not trusted here. " +
      "Behind a company proxy, give its certificate with NODE_EXTRA_CA_CERTS or `npm config set cafile`.",
  },
  {
    sign: /\b(E401|E403|ERR_PNPM_FETCH_40[13])\b/,
    tell: "the npm registry refused. Check `npm config get registry` and that you are logged in to it.",
  },
  {
    sign: /\b(E404|ETARGET|ERR_PNPM_FETCH_404|ERR_PNPM_NO_MATCHING_VERSION|EINTEGRITY|ERR_PNPM_TARBALL_INTEGRITY)\b/,
    tell:
      "the npm registry lacks a package, or gave another one than the lock file names. " +
      "Check `npm config get registry`: a mirror may be behind.",
  },
  {
    sign: /\b(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|ERR_PNPM_META_FETCH_FAIL|ERR_PNPM_FETCH_5\d\d|E5\d\d|UND_ERR_\w+TIMEOUT)\b|fetch failed|network timeout/,
    tell:
      "the npm registry cannot be reached. Check the network, `npm config get registry`, " +
      "and the proxy (HTTPS_PROXY, or `npm config get https-proxy`).",
  },
];

/**
 * One sentence: what could not be installed, why, and what to do about it.
 * @param {string} output all that the installer printed
 * @param {string} pnpm the pnpm that installs, such as "pnpm@10.0.0"
 */
export function explainInstallFailure(output, pnpm) {
  const known = problems.find(({ sign }) => sign.test(output));
  const why = known?.tell ?? "the lines above say why; `npx {pnpm} install` alone shows them again.";
  return `Could not install what bearhug's workspace needs: ${why.replaceAll("{pnpm}", pnpm)}`;
}
