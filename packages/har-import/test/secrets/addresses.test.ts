import fc from "fast-check";
import { expect, test } from "vitest";
import { findSecrets } from "../../src/secrets/find-secrets.ts";
import { fieldBytes, importField, sourceOfField } from "../field-capture.ts";
import { importCapture, redactHar } from "../../src/index.ts";
import { requestsOf } from "../har-file.ts";

const label = fc.constantFrom("auth", "token", "session", "pass", "shop", "sid", "key");
const host = fc
  .tuple(label, fc.constantFrom("", ".localtest.example", ".shop.example"))
  .map((parts) => parts.join(""));
const path = fc.constantFrom("", "/", "/realms/shop", "/logout", "/assets/link-Cun-Q1tu.js");

test("a host name before a port is not read as the name of a secret, however it is encoded", () => {
  const property = fc.property(host, fc.integer({ min: 1, max: 65_535 }), path, (name, port, rest) => {
    const address = `http://${name}:${port}${rest}`;
    for (const text of [address, `see ${address} now`, `next=${encodeURIComponent(address)}`])
      expect(findSecrets(text, "")).toEqual([]);
  });
  fc.assert(property);
});

test("a host without a scheme is not either, but a secret after a colon still is one", () => {
  expect(findSecrets("auth.shop.example:8081/realms/shop", "")).toEqual([]);
  expect(findSecrets("password: 8081-blue-horse", "")).toHaveLength(1);
  expect(findSecrets("user.pin=12345", "")).toHaveLength(1);
  expect(findSecrets("//pin=12345", "")).toHaveLength(1);
  expect(findSecrets("http://joe:8081-blue@shop.example/", "")).toHaveLength(1);
});

test.each([
  ["port8", ["/realms/shop/config", "/api/me"]],
  ["port5", ["/realms/shop/.well-known/openid-configuration", "/protocol/openid-connect/token", "/userinfo"]],
])("hosts with a port are read as addresses, so every request of %s is written", async (name, paths) => {
  const source = await sourceOfField(name);
  for (const one of paths) expect(source).toContain(one);
  expect(source).not.toContain("omitted");
  expect(source).not.toContain("AUTH_LOCALTEST");
  expect(source).not.toContain('bearer: ""');
});

test.each(["atoks", "port1", "port5", "port8", "eq3q"])(
  "%s is imported with the same requests after redaction",
  async (name) => {
    const chunks: Uint8Array[] = [];
    for await (const text of redactHar(() => [fieldBytes(name)])) chunks.push(new TextEncoder().encode(text));
    const { model } = await importCapture(() => chunks);
    const shown = (one: typeof model): string[] =>
      requestsOf(one).map(({ method, origin, path: segments }) => `${method} ${origin} ${segments.length}`);
    expect(shown(model)).toEqual(shown((await importField(name)).model));
  },
);
