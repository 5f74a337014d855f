import { expect, test } from "vitest";
import { sourceOfField } from "../field-capture.ts";
import { documentOf, importEntries, shownValue } from "../har-file.ts";

test("a cookie that the browser had from the start is sent under its name, however random it is", async () => {
  const source = await sourceOfField("shib");
  expect(source).toContain('"_shibsession_64656661756c7468747470733a2f2f73702e6578616d706c652f73686962"');
  expect(source).toContain("env.COOKIE_SHIBSESSION");
  expect(source).not.toContain("_aaaabbbbcccc");
});

test("the name of such a cookie's variable contains no random parts", async () => {
  const cookies = [
    { name: "wordpress_logged_in_5d41402abc4b2a76b9719d911017c592", value: "a" },
    { name: "Kb2444Sqzj", value: "b" },
    { name: "q8Zt4LxV0bN7sKe2Hd9RmY3u", value: "c" },
  ];
  const model = await importEntries([documentOf("https://shop.test/", { request: { cookies } })]);
  expect(model.cookies.map((cookie) => `${cookie.name}=${shownValue(cookie)}`)).toEqual([
    "wordpress_logged_in_5d41402abc4b2a76b9719d911017c592={COOKIE_WORDPRESS_LOGGED_IN}",
    "Kb2444Sqzj={COOKIE_KB_SQZJ}",
    "q8Zt4LxV0bN7sKe2Hd9RmY3u={COOKIE}",
  ]);
});
