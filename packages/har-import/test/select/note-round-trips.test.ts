import { expect, test } from "vitest";

import { askFor, askForPage, hosts, select } from "./timed-entries.ts";

const home = askForPage("https://shop.test/");
const redirectTo = (redirectUrl: string) => ({ response: { status: 302, redirectUrl } });
const out = askForPage("https://shop.test/login", redirectTo("https://id.test:8443/authorize?state=x1"));
const form = askForPage("https://id.test:8443/authorize?state=x1");
const back = askForPage("https://id.test:8443/u/login", {
  request: { method: "POST" },
  ...redirectTo("https://shop.test/callback?code=c1"),
});
const callback = askForPage("https://shop.test/callback?code=c1");

test("a login at another host, to which the site redirects and which redirects back, can be followed", () => {
  expect(select([home, out, form, back, callback]).notes).toEqual([
    "A redirect leads to id.test:8443 and back to the site. To follow it, add --hosts id.test:8443.",
  ]);
});

test("several hosts on the way there and back are told together", () => {
  const first = askForPage("https://id.test:8443/authorize?state=x1", redirectTo("https://sso.test/start"));
  const last = askForPage("https://sso.test/done", redirectTo("https://shop.test/callback?code=c1"));
  expect(select([home, out, first, last, callback]).notes).toEqual([
    "Redirects lead to id.test:8443, sso.test and back to the site. To follow them, add --hosts id.test:8443,sso.test.",
  ]);
});

test("nothing is said of a host that is followed already, or that a person leaves out", () => {
  const all = [home, out, form, back, callback];
  expect(select(all, { hosts: hosts("id.test:8443") }).notes).toEqual([]);
  expect(select(all, { skipHosts: hosts("id.test") }).notes).toEqual([]);
});

test("nothing is said of a way that leads only there, or only back, or somewhere with a picture", () => {
  expect(select([home, out, form, callback]).notes).toEqual([]);
  expect(select([home, form, back, callback]).notes).toEqual([]);
  const pixel = { resourceType: "image" };
  const sync = askFor("https://shop.test/p", { ...pixel, ...redirectTo("https://ads.test/p") });
  const synced = askFor("https://ads.test/p", { ...pixel, ...redirectTo("https://shop.test/q") });
  expect(select([home, sync, synced]).notes).toEqual([]);
});

test("of many hosts the first few are told, and a long way is followed in no time", () => {
  const count = 20_000;
  const ways = Array.from({ length: count }, (_, at) =>
    askForPage(
      `https://h${at}.test/`,
      redirectTo(at + 1 < count ? `https://h${at + 1}.test/` : "https://shop.test/"),
    ),
  );
  const [note = ""] = select([
    home,
    askForPage("https://shop.test/go", redirectTo("https://h0.test/")),
    ...ways,
  ]).notes;
  expect(note).toContain("--hosts h0.test,h1.test,h2.test,h3.test,h4.test.");
});
