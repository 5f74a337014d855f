import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

function openssl(...arguments_: readonly string[]): void {
  execFileSync("openssl", arguments_, { stdio: "ignore" });
}

/** True if openssl is there, or BEARHUG_REQUIRE_TOOLS is set: then tests fail without it. */
export const hasOpenssl = process.env["BEARHUG_REQUIRE_TOOLS"] !== undefined || canRunOpenssl();

function canRunOpenssl(): boolean {
  try {
    openssl("version");
    return true;
  } catch {
    return false;
  }
}

/** Makes a self-signed certificate, which is valid or expired yesterday. */
export function makeCertificate(subjectAltName: string, isExpired = false): Certificate {
  const folder = mkdtempSync(join(tmpdir(), "bearhug-certificate-"));
  try {
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    openssl(
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:prime256v1",
      "-nodes",
      "-keyout",
      key,
      "-out",
      cert,
      "-days",
      "2",
      "-subj",
      "/CN=bearhug test",
      "-addext",
      `subjectAltName=${subjectAltName}`,
    );
    if (isExpired) openssl("x509", "-in", cert, "-signkey", key, "-days", "-1", "-out", cert);
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
