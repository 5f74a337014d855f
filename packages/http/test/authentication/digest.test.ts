import { describe, expect, test } from "vitest";

import { answerChallenge, chooseChallenge } from "../../src/authentication/digest.ts";

/** The example of RFC 7616, section 3.9.1. */
const rfcChallenges = ["SHA-256", "MD5"].map(
  (algorithm) =>
    `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`,
);
const mufasa = { type: "digest", username: "Mufasa", password: "Circle of Life" } as const;
const use = {
  method: "GET",
  path: "/dir/index.html",
  count: 1,
  clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ",
};

describe("a digest challenge", () => {
  test.each([
    [rfcChallenges, "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"],
    [rfcChallenges.slice(1), "8ca523f5e9506fed4657c9700eebdbec"],
  ])("of RFC 7616 gets the RFC's response, with the strongest algorithm offered: %#", (offered, response) => {
    const answer = answerChallenge(chooseChallenge(offered)!, mufasa, use);
    expect(answer).toContain(`response="${response}"`);
    expect(answer).toContain('username="Mufasa", realm="http-auth@example.org"');
    expect(answer).toContain('uri="/dir/index.html"');
    expect(answer).toContain(`qop=auth, nc=00000001, cnonce="${use.clientNonce}"`);
    expect(answer).toContain('opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"');
  });

  test("without qop gets the response of RFC 2069", () => {
    const challenge = chooseChallenge([
      'Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"',
    ])!;
    const answer = answerChallenge(challenge, { ...mufasa, password: "Circle Of Life" }, use);
    expect(answer).toContain('response="670fd8c2df070c60b045671b8b24ff02"');
    expect(answer).not.toMatch(/qop|nc=|cnonce/);
  });

  test("is found among others, in one field or several, also beside quoted text with commas", () => {
    const challenge = chooseChallenge([
      'Basic realm="a, Digest nonce=x", Digest realm="say \\"hi\\"", nonce=abc, algorithm=MD5-sess, qop=auth',
      "Negotiate",
    ]);
    expect(challenge).toMatchObject({ realm: 'say "hi"', nonce: "abc", algorithm: "MD5-sess", hasQop: true });
    expect(answerChallenge(challenge!, mufasa, use)).toContain(String.raw`realm="say \"hi\""`);
  });

  test.for([
    [],
    ['Basic realm="x"'],
    ['Digest realm="x"'],
    ['Digest realm="x", nonce="n", algorithm=SHA-512-256'],
    ['Digest realm="x", nonce="n", qop="auth-int"'],
    ['"', "Digest", "=", "Digest nonce"],
  ])("that is not supported is ignored: %j", (offered) => {
    expect(chooseChallenge(offered)).toBeNull();
  });

  test("may require a hashed user name; otherwise a name beyond ASCII is encoded", () => {
    const challenge = chooseChallenge([
      'Digest realm="r", nonce="n", qop=auth, algorithm=SHA-256, userhash=true',
    ]);
    const hashed = answerChallenge(challenge!, { ...mufasa, username: "Jäsøn" }, use);
    expect(hashed).toMatch(/username="[0-9a-f]{64}".*userhash=true/);
    const plain = answerChallenge(
      { ...challenge!, hashesUser: false },
      { ...mufasa, username: "Jäsøn" },
      use,
    );
    expect(plain).toContain("username*=UTF-8''J%C3%A4s%C3%B8n");
  });
});
