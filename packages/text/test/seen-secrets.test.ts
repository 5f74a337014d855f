import { describe, expect, test } from "vitest";

import { createMask } from "../src/secret-mask.ts";

describe("values that a run sends or receives under the names of secrets", () => {
  test("are masked from then on, in every spelling", () => {
    const { hide, seen } = createMask([]);
    seen.lookAtHeader("Authorization", "Bearer tok-1234-abcd");
    seen.lookAtHeader("cookie", "sid=c00kie-55aa; theme=dark");
    seen.lookAtCookie("id=s3ssion-77zz; Path=/; HttpOnly");
    seen.lookAtAddress("/login?code=4f9a-xx10&page=2");
    seen.lookAtField("user[password]", "p4ss word/1");
    const logged = [
      "tok-1234-abcd",
      "c00kie-55aa",
      "s3ssion-77zz",
      "4f9a-xx10",
      "p4ss word/1",
      "p4ss%20word%2f1",
    ];
    expect(hide(logged.join(" and "))).toBe(logged.map(() => "***").join(" and "));
    expect(hide("theme dark, page 2")).toBe("theme dark, page 2");
  });

  test("are not secrets if they are short, a number, plain words of a cookie, or a name that the test itself uses", () => {
    const { hide, seen } = createMask([]);
    seen.addWords(["checkout-flow-2"]);
    seen.lookAtField("token", "checkout-flow-2");
    seen.lookAtField("token", "abc1234");
    seen.lookAtField("token", "20260101");
    seen.lookAtField("password", "password");
    seen.lookAtCookie("consent=accepted everything");
    seen.lookAtHeader("content-type", "application/json; charset=utf-8");
    const logged =
      "checkout-flow-2 abc1234 20260101 password accepted everything application/json; charset=utf-8";
    expect(hide(logged)).toBe(logged);
  });

  test("are not secrets if they are what JavaScript writes for a missing value", () => {
    const { hide, seen } = createMask([]);
    seen.lookAtHeader("authorization", "Bearer undefined");
    seen.lookAtCookie("sid=undefined");
    seen.lookAtField("token", "[object Object]");
    const logged = "Cannot read properties of undefined; [object Object] is not iterable";
    expect(hide(logged)).toBe(logged);
  });

  test("are remembered up to a bounded number, the most recent ones", () => {
    const { hide, seen } = createMask([]);
    for (let visitor = 0; visitor < 5000; visitor++) seen.lookAtCookie(`sid=v1x9q${visitor}kz7`);
    expect(seen.values().length).toBeLessThanOrEqual(1000);
    expect(hide("v1x9q4999kz7 v1x9q4600kz7")).toBe("*** ***");
    expect(hide("v1x9q3kz7")).toBe("v1x9q3kz7");
  });
});

describe("a secret that is a number", () => {
  test("is not found within a longer number", () => {
    const { hide } = createMask(["12345678"]);
    expect(hide("12345678 912345678 12345678.5 0.12345678 id-12345678-x")).toBe(
      "*** 912345678 12345678.5 0.12345678 id-***-x",
    );
  });
});

describe("a text that is cut", () => {
  const secret = "correct-horse-battery-staple";

  test("is cut after its secrets, wherever they are", () => {
    const mask = createMask([secret]);
    for (let before = 0; before <= 60; before++) {
      const { text, isCut } = mask.excerpt(`${"x".repeat(before)}${secret}${"y".repeat(60)}`, 48);
      expect(text.length).toBeLessThanOrEqual(48);
      expect(text).not.toMatch(/cor|rse|batt|stap/);
      expect(isCut).toBe(true);
    }
  });

  test("is not read to its end, and still shows no secret at the end of the part that is read", () => {
    const mask = createMask([secret]);
    const many = `${secret} `.repeat(400_000);
    const { text } = mask.excerpt(many, 2000);
    expect(text).toMatch(/^(?:\*\*\* )+(?:\*\*\*)?$/);
  });

  test("shows nothing of a secret that the connection had already cut", () => {
    const mask = createMask([secret]);
    for (const piece of [secret.slice(4), secret.slice(0, -4)]) {
      expect(mask.excerpt(piece, 48, { isFragment: true }).text).toBe("***");
    }
  });
});

test("masked text does not change when it is masked again", () => {
  const { hide } = createMask(["s3cret-value"]);
  for (const text of [
    "token=abc123def&x=1",
    "http://ann:pw@host/",
    "Bearer eyJh.def-1x2y3",
    'set("x-api-key", "k-12345678")',
  ]) {
    const masked = hide(text);
    expect(masked).toContain("***");
    expect(hide(masked)).toBe(masked);
  }
});

test("two hundred secrets are found in a megabyte of escapes within escapes", () => {
  const secrets = Array.from({ length: 200 }, (_, index) => `k${index}/Zq7+w9=${index * 7919}`);
  const page = JSON.stringify(JSON.stringify({ name: "Ann", address: "a%2520b &quot; x" }));
  const { hide } = createMask(secrets);
  const escaped = secrets.map((secret) => encodeURIComponent(JSON.stringify(secret))).join(" ");
  const hidden = hide(page.repeat(Math.ceil(2 ** 20 / page.length)) + escaped);
  expect(hidden.endsWith(secrets.map(() => "%22***%22").join(" "))).toBe(true);
});
