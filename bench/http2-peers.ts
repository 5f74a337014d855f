// `node bench/http2-peers.ts [name…]`: does bearhug's own HTTP/2 work with other implementations? Runs one
// test against each installed server (nginx, nghttpd, Caddy, Go's net/http), over TLS, and fails if any
// response is wrong.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { makeCertificate } from "../packages/http/test/make-certificate.ts";
import { runTest } from "./bench-process.ts";
import { files, rounds, testSource } from "./http2-peers/exchanges.ts";
import { isInstalled, peers, type Peer } from "./http2-peers/peers.ts";
import { freePort, makeServerFolder } from "./server-process.ts";

const names = process.argv.slice(2);
const wanted = peers.filter(({ name }) => names.length === 0 || names.includes(name));
let problems = 0;
for (const peer of wanted) {
  if (!isInstalled(peer)) console.log(`${peer.name}: skipped, because it is not installed`);
  else problems += await meet(peer);
}
process.exitCode = problems === 0 ? 0 : 1;

/** Runs the test against a peer, and returns the number of problems. */
async function meet(peer: Peer): Promise<number> {
  const folder = makeServerFolder("peer");
  const { key, cert } = makeCertificate("IP:127.0.0.1");
  writeFileSync(join(folder, "key.pem"), key);
  writeFileSync(join(folder, "cert.pem"), cert);
  mkdirSync(join(folder, "site"));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, "site", name), content);
  const port = await freePort();
  const server = await peer.start({ folder, port });
  try {
    const { result } = await runTest(testSource(peer, port), "--workers", "1");
    const times = rounds.vus * rounds.iterations;
    const wrong = result.checks.filter(({ passes, fails }) => fails > 0 || passes !== times);
    for (const { name, passes, fails } of wrong) {
      console.log(`${peer.name}: "${name}" held ${passes} times and failed ${fails} times`);
    }
    for (const { code, count, message } of result.errors)
      console.log(`${peer.name}: ${count} × ${code}: ${message}`);
    const held = result.checks.length - wrong.length;
    console.log(`${peer.name}: ${held} of ${result.checks.length} checks held, each ${times} times`);
    return wrong.length + result.errors.length + (result.checks.length === 0 ? 1 : 0);
  } finally {
    await server.stop();
  }
}
