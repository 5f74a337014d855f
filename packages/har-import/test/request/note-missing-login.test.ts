import { expect, test } from "vitest";
import { noteMissingLogin } from "../../src/request/sessions.ts";
import { visitOf } from "./visit-of.ts";

const session = "q8Zt4LxV0bN7sKe2Hd9RmY3u";

function sends(name: string, value = session) {
  return { request: { cookies: [{ name, value }] } };
}

function sets(name: string, value = session) {
  return { response: { headers: [{ name: "Set-Cookie", value: `${name}=${value}; Path=/` }] } };
}

test("a note reports a session whose login request was not recorded", async () => {
  const notes = noteMissingLogin([
    await visitOf("https://shop.test/login"),
    await visitOf("https://shop.test/account", sends("SID")),
  ]);
  expect(notes).toEqual([
    expect.stringMatching(/login page \/login, .* a cookie, SID, that no response set/),
  ]);
});

test("the note also appears if the login page set an earlier session", async () => {
  const notes = noteMissingLogin([
    await visitOf("https://shop.test/wp-login.php", sets("SID", "aK2pT9vX4cN7bL1mQ8wE5rZ3")),
    await visitOf("https://shop.test/account", sends("SID")),
  ]);
  expect(notes).toHaveLength(1);
});

test.each([
  ["the login was recorded", [["https://shop.test/login", { request: { method: "POST" } }]]],
  [
    "the login was recorded with its cookie masked",
    [
      [
        "https://shop.test/login",
        { request: { method: "POST", cookies: [{ name: "SID", value: "REDACTED-000004" }] } },
      ],
    ],
  ],
  ["a response set the cookie", [["https://shop.test/app", sets("SID")]]],
  ["the browser had it before", [["https://shop.test/app", sends("SID")]]],
] as const)("there is no note if %s", async (_why, between) => {
  const visits = [
    await visitOf("https://shop.test/login"),
    ...(await Promise.all(between.map(([url, entry]) => visitOf(url, entry)))),
    await visitOf("https://shop.test/account", sends("SID")),
  ];
  if (between[0][0] === "https://shop.test/app" && "request" in between[0][1]) visits.unshift(visits[1]!);
  expect(noteMissingLogin(visits)).toEqual([]);
});

test.each([
  ["for a host that was not visited before", "https://app.shop.test/", sends("SID")],
  ["used by analytics", "https://shop.test/", sends("_ga")],
  ["that is no session", "https://shop.test/", sends("theme", "dark")],
])("there is no note about a cookie %s", async (_what, url, entry) => {
  expect(noteMissingLogin([await visitOf("https://shop.test/login"), await visitOf(url, entry)])).toEqual([]);
});

test("there is no note without a login page", async () => {
  const visits = [
    await visitOf("https://shop.test/"),
    await visitOf("https://shop.test/account", sends("SID")),
  ];
  expect(noteMissingLogin(visits)).toEqual([]);
});
