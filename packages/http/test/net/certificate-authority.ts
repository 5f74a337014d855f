import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Certificate } from "../make-certificate.ts";

/** How a certificate differs from the default, in OpenSSL's terms. */
export interface CertificateWish {
  readonly altName?: string;
  readonly validity?: "expired" | "future";
  readonly extension?: string;
  readonly digest?: "sha256" | "sha1";
}

export interface CertificateAuthority {
  readonly cert: string;
  readonly issue: (wish?: CertificateWish) => Certificate;
  /** Makes an intermediate authority. */
  readonly issueAuthority: () => CertificateAuthority;
}

const configuration = `[ca]
default_ca = test
[test]
database = index.txt
new_certs_dir = .
rand_serial = yes
policy = anything
unique_subject = no
[anything]
commonName = supplied
`;

const datesOf = {
  now: ["20200101000000Z", "20490101000000Z"],
  expired: ["20200101000000Z", "20210101000000Z"],
  future: ["20480101000000Z", "20490101000000Z"],
} as const;

/** Makes a root authority with openssl, which signs certificates. */
export function makeAuthority(name = "bearhug test authority"): CertificateAuthority {
  const key = newKey();
  const cert = inFolder({ "key.pem": key }, (run, read) => {
    run("req", "-x509", "-key", "key.pem", "-out", "cert.pem", "-days", "2", "-subj", `/CN=${name}`);
    return read("cert.pem");
  });
  return authority(key, cert);
}

function authority(key: string, cert: string): CertificateAuthority {
  return {
    cert,
    issue: (wish = {}) => issue({ key, cert }, wish),
    issueAuthority: () => {
      const own = issue({ key, cert }, { extension: "basicConstraints=critical,CA:true" });
      return authority(own.key, own.cert);
    },
  };
}

function issue(
  issuer: Certificate,
  { altName = "IP:127.0.0.1,DNS:localhost", validity, extension = "", digest = "sha256" }: CertificateWish,
): Certificate {
  const key = newKey();
  const [from, to] = datesOf[validity ?? "now"];
  const files = {
    "key.pem": key,
    "ca-key.pem": issuer.key,
    "ca.pem": issuer.cert,
    "ca.cnf": configuration,
    "index.txt": "",
    "extensions.txt": `subjectAltName=${altName}\n${extension}\n`,
  };
  const cert = inFolder(files, (run, read) => {
    run("req", "-new", "-key", "key.pem", "-out", "request.pem", "-subj", "/CN=bearhug test");
    run(
      "ca",
      "-batch",
      "-config",
      "ca.cnf",
      "-in",
      "request.pem",
      "-cert",
      "ca.pem",
      "-keyfile",
      "ca-key.pem",
      "-extfile",
      "extensions.txt",
      "-startdate",
      from,
      "-enddate",
      to,
      "-md",
      digest,
      "-notext",
      "-out",
      "cert.pem",
    );
    return read("cert.pem");
  });
  return { key, cert };
}

function newKey(): string {
  return inFolder({}, (run, read) => {
    run("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-out", "key.pem");
    return read("key.pem");
  });
}

type Run = (...arguments_: readonly string[]) => void;
type Read = (name: string) => string;

function inFolder(files: Readonly<Record<string, string>>, make: (run: Run, read: Read) => string): string {
  const folder = mkdtempSync(join(tmpdir(), "bearhug-authority-"));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return make(
      (...arguments_) => void execFileSync("openssl", arguments_, { cwd: folder, stdio: "ignore" }),
      (name) => readFileSync(join(folder, name), "utf8"),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
