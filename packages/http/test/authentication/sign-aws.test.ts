import { expect, test } from "vitest";

import { signForAws } from "../../src/authentication/sign-aws.ts";

const text = "https://example.amazonaws.com";
const origin = { isSecure: true, host: "example.amazonaws.com", port: 443, text, pool: text };
/** The credentials and time of AWS's published examples. */
const auth = {
  type: "aws-sigv4",
  region: "us-east-1",
  service: "service",
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
} as const;
const date = ["x-amz-date", "20150830T123600Z"];

function headersOf(...[request, by]: Parameters<typeof signForAws>): Record<string, string> {
  const signed = signForAws(request, by);
  return Object.fromEntries(
    signed.flatMap((name, at) => (at % 2 === 0 ? [[name, signed[at + 1] ?? ""]] : [])),
  );
}

test.each([
  ["get-vanilla", "GET", "/", [], null, "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"],
  [
    "get-vanilla-query-order-key-case",
    "GET",
    "/?Param2=value2&Param1=value1",
    [],
    null,
    "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
  ],
  ["post-vanilla", "POST", "/", [], null, "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"],
  [
    "post-x-www-form-urlencoded",
    "POST",
    "/",
    ["content-type", "application/x-www-form-urlencoded"],
    Buffer.from("Param1=value1"),
    "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a",
  ],
])("%s of AWS's test suite has the published signature", (_name, method, path, more, body, signature) => {
  const signed = headersOf({ method, origin, path, headers: [...date, ...more], body }, auth);
  const names = more.length === 0 ? "host;x-amz-date" : "content-type;host;x-amz-date";
  expect(signed["authorization"]).toBe(
    `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=${names}, Signature=${signature}`,
  );
  expect(Object.keys(signed)).toEqual(["authorization"]);
});

test("S3 gets the hash of the body, temporary credentials their token; a stream is unsigned", () => {
  const s3 = { ...auth, service: "s3", sessionToken: "temporary" };
  const request = { method: "PUT", origin, path: "/a%20b", headers: [], body: Buffer.from("hello") };
  const signed = headersOf(request, s3);
  expect(signed["x-amz-content-sha256"]).toBe(
    "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
  );
  expect(signed["x-amz-security-token"]).toBe("temporary");
  expect(signed["x-amz-date"]).toMatch(/^\d{8}T\d{6}Z$/);
  expect(signed["authorization"]).toContain(
    "SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token",
  );
  const stream = { length: null, isRepeatable: false, open: async function* () {} };
  expect(headersOf({ ...request, body: stream }, s3)["x-amz-content-sha256"]).toBe("UNSIGNED-PAYLOAD");
});
