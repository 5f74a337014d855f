import type { Peer } from "./peers.ts";

/** The files that a peer serves. */
export const files = {
  "small.txt": Buffer.from("hello\n"),
  "large.bin": Buffer.from(Array.from({ length: 1_000_000 }, (_, index) => index % 251)),
};

/** The number of virtual users, and of iterations of each. */
export const rounds = { vus: 4, iterations: 25 };

/**
 * Returns the source of a test that uses the features of HTTP/2: parallel streams, bodies larger than its
 * windows, uploads, responses of all kinds.
 */
export function testSource({ echoes, hasOddPaths }: Peer, port: number): string {
  return `import { defineTest } from "@bearhug/sdk";

const isLarge = (bytes) => bytes.length === 1_000_000 && bytes.every((byte, index) => byte === index % 251);
const upload = new Uint8Array(300_000).map((_, index) => 32 + (index % 90));

export default defineTest({
  baseUrl: "https://127.0.0.1:${port}",
  http: { protocol: "http2", tls: { insecureSkipTlsVerify: true } },
  scenarios: {
    all: { executor: "per-vu-iterations", vus: ${rounds.vus}, iterations: ${rounds.iterations}, exec: async ({ http, check }) => {
      const batch = await http.batch([
        ...Array.from({ length: 20 }, (_, number) => "/small.txt?" + number),
        ...Array.from({ length: 3 }, (_, number) => "/large.bin?" + number),
      ]);
      check(batch, {
        "small bodies beside large ones": (all) => all.slice(0, 20).every((r) => r.status === 200 && r.text() === "hello\\n"),
        "large bodies beside each other": (all) => all.slice(20).every((r) => r.status === 200 && isLarge(r.bytes())),
        "HTTP/2": (all) => all.every((r) => r.protocol === "HTTP/2"),
      });
      const head = await http.head("/large.bin");
      check(head, { "HEAD": (r) => r.status === 200 && r.size.body === 0 && r.headers.get("content-length") === "1000000" });
      const same = await http.get("/small.txt", { headers: { "if-modified-since": head.headers.get("last-modified") } });
      check(same, { "304": (r) => r.status === 304 && r.size.body === 0 });
      check(await http.get("/missing", { expect: 404 }), { "404": (r) => r.status === 404 });
      const fields = Object.fromEntries(Array.from({ length: 40 }, (_, number) => ["x-field-" + number, String(number).repeat(40)]));
      check(await http.get("/small.txt", { headers: fields }), { "many request fields": (r) => r.text() === "hello\\n" });
      ${echoes ? echo : ""}
      ${hasOddPaths ? oddPaths : ""}
    } },
  },
});
`;
}

const echo = `const echoed = await http.batch([1, 2, 3].map(() => ({ method: "POST", url: "/echo", body: upload })));
      check(echoed, { "uploads beside each other": (all) => all.every((r) => Buffer.compare(r.bytes(), upload) === 0) });`;

const oddPaths = `for (const path of ["/trailers", "/early", "/fields", "/drip"]) {
        check(await http.get(path), { [path]: (r) => r.status === 200 && r.text() === "hello\\n" });
      }`;
