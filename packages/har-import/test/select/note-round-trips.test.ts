import { expect, test } from "vitest";

import { entryFor, pageEntry, hosts, select } from "./timed-entries.ts";

const home = pageEntry("https://shop.test/");
const redirectTo = (redirectUrl: string) => ({ response: { status: 302, redirectUrl } });
const out = pageEntry("https://shop.test/login", redirectTo("https://id.test:8443/authorize?state=x1"));
const form = pageEntry("https://id.test:8443/authorize?state=x1");
const back = pageEntry("https://id.test:8443/u/login", {
  request: { method: "POST" },
  ...redirectTo("https://shop.test/callback?code=c1"),
});
const callback = pageEntry("https://shop.test/callback?code=c1");

test("a note says how to follow a login at another host, to which the site redirects and which redirects back", () => {
  expect(select([home, out, form, back, callback]).notes).toEqual([
    "A redirect leads to id.test:8443 and back to the site. To follow it, add --hosts id.test:8443.",
  ]);
});

test("several hosts of one round trip are named in one note", () => {
  const first = pageEntry("https://id.test:8443/authorize?state=x1", redirectTo("https://sso.test/start"));
  const last = pageEntry("https://sso.test/done", redirectTo("https://shop.test/callback?code=c1"));
  expect(select([home, out, first, last, callback]).notes).toEqual([
    "Redirects lead to id.test:8443, sso.test and back to the site. To follow them, add --hosts id.test:8443,sso.test.",
  ]);
});

test("there is no note about a host that is already followed or that the user skips", () => {
  const all = [home, out, form, back, callback];
  expect(select(all, { hosts: hosts("id.test:8443") }).notes).toEqual([]);
  expect(select(all, { skipHosts: hosts("id.test") }).notes).toEqual([]);
});

test("there is no note about redirects that lead only there, only back, or to an image", () => {
  expect(select([home, out, form, callback]).notes).toEqual([]);
  expect(select([home, form, back, callback]).notes).toEqual([]);
  const pixel = { resourceType: "image" };
  const sync = entryFor("https://shop.test/p", { ...pixel, ...redirectTo("https://ads.test/p") });
  const synced = entryFor("https://ads.test/p", { ...pixel, ...redirectTo("https://shop.test/q") });
  expect(select([home, sync, synced]).notes).toEqual([]);
});

test("only the first few of many hosts are named, even in a chain of 20,000 redirects", () => {
  const count = 20_000;
  const redirects = Array.from({ length: count }, (_, at) =>
    pageEntry(
      `https://h${at}.test/`,
      redirectTo(at + 1 < count ? `https://h${at + 1}.test/` : "https://shop.test/"),
    ),
  );
  const [note = ""] = select([
    home,
    pageEntry("https://shop.test/go", redirectTo("https://h0.test/")),
    ...redirects,
  ]).notes;
  expect(note).toContain("--hosts h0.test,h1.test,h2.test,h3.test,h4.test.");
});
