import { brotliCompressSync, gzipSync } from "node:zlib";

import { expect, test } from "vitest";

import { runForResult } from "../end-to-end/run-bearhug.ts";
import { hasNginx, startNginx } from "./start-nginx.ts";

const paragraphs = Array.from({ length: 400 }, (_, at) => `    <p id="p${at}">${at * 7919} bears hug</p>`);
const page = `<html>\n${paragraphs.join("\n")}\n</html>\n`;
const minified = page.replaceAll(/\n\s*/g, "");

/** nginx's own module serves gzip. Debian's nginx lacks brotli: a rewrite by the header chooses its files. */
const directives = `
  default_type text/html;
  keepalive_requests 10000000;
  location = /page.html { root $folder/static; gzip_static on; if ($http_accept_encoding = br) { rewrite ^ /br$uri.br last; } }
  location = /page.min.html { root $folder/static; gzip_static on; if ($http_accept_encoding = br) { rewrite ^ /br$uri.br last; } }
  location /br/ { internal; alias $folder/static/; types {} add_header Content-Encoding br; }`;

test.skipIf(!hasNginx)(
  "a table of six variants (three encodings, plain and minified) has their exact sizes (needs nginx)",
  async () => {
    const contents = { "page.html": page, "page.min.html": minified };
    const files = Object.entries(contents).flatMap(([name, text]) => [
      [name, Buffer.from(text)] as const,
      [`${name}.gz`, gzipSync(text)] as const,
      [`${name}.br`, brotliCompressSync(text)] as const,
    ]);
    const nginx = await startNginx({ files: Object.fromEntries(files), directives });
    const encodings = { raw: "identity", gzip: "gzip", br: "br" };
    const variants = Object.entries(encodings).flatMap(([name, encoding]) => [
      `${name}=Accept-Encoding: ${encoding}`,
      `${name}-min=Accept-Encoding: ${encoding}`,
      `${name}-min=/page.min.html`,
    ]);
    const { result, stdout } = await runForResult([
      `${nginx.url}/page.html`,
      "-c",
      "4",
      "-d",
      "2s",
      "--turn",
      "30ms",
      "--workers",
      "1",
      ...variants.flatMap((variant) => ["--variant", variant]),
    ]);
    const sizes = result.variants?.variants.map(({ name, figures }) => [
      name,
      figures.wireBytes.value,
      figures.decodedBytes.value,
    ]);
    const [, gz, br, , minGz, minBr] = files.map(([, bytes]) => bytes.length);
    expect(sizes).toEqual([
      ["raw", page.length, page.length],
      ["raw-min", minified.length, minified.length],
      ["gzip", gz, page.length],
      ["gzip-min", minGz, minified.length],
      ["br", br, page.length],
      ["br-min", minBr, minified.length],
    ]);
    expect(stdout.replaceAll("\u202f", "")).toContain(`${page.length} B`);
    expect(result.accounting.requests.map(({ name }) => name).toSorted()).toEqual([
      "GET /page.html",
      "GET /page.min.html",
    ]);
    expect(result.metrics["connections_opened"]).toMatchObject({ values: { count: 4 } });
  },
);
