import { expect, test } from "vitest";
import { showName, showUrl } from "../../src/secrets/mask-text.ts";

/** Planted in every part of an address. None may be displayed. */
const secrets = ["hunter2", "kq8Jd72hLpQ0zXv5Tn3M", "jane@mail.test", "ghp_16C7e42F292c6912E7"];
const [password = "", random = "", email = "", token = ""] = secrets;

test.each([
  `https://u:${password}@shop.test/reset/${random};jsessionid=${password}/${email}?token=${password}&q=${random}&to=${email}&x=${token}&${random}#${password}`,
  `//u:${password}@[broken/?token=${password}`,
  `data:text/plain,${password}`,
  `https://shop.test/${encodeURIComponent(email)}?e=${encodeURIComponent(email)}`,
  `https://shop.test/?${encodeURIComponent(random)}=1`,
])("no secret of an address is displayed: %s", (url) => {
  for (const secret of secrets) {
    expect(showUrl(url)).not.toContain(secret);
    expect(showUrl(url)).not.toContain(encodeURIComponent(secret));
  }
});

test("the harmless query of an address is displayed, and its fragment is not", () => {
  expect(showUrl("https://shop.test/app.css?v=3&lang=en#top")).toBe("https://shop.test/app.css?v=3&lang=en");
});

test.each([
  ["user", "user"],
  ["user[name]", "user[name]"],
  ["_", "_"],
  ["@action", "@action"],
  ["@confirm@password", "@confirm@password"],
  ["jane@mail.test", "***"],
  ["@jane@mail.test", "***"],
  ["1513901184", "***"],
  [random, "***"],
  ["a b", "***"],
])("the name %s is displayed as %s", (name, shown) => {
  expect(showName(name)).toBe(shown);
});
