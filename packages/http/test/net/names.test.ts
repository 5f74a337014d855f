import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import { expect, test } from "vitest";

import { eventually } from "../../../cli/test/eventually.ts";
import { startNameServer, type Answer } from "./start-name-server.ts";
import { expectNothingOpen, startDialer, type Opened } from "./start-dialer.ts";
import { startListener } from "./start-listener.ts";

const { dns } = defaultHttp;

async function startTarget() {
  const { port } = await startListener("0.0.0.0");
  return { port, url: (name: string) => `http://${name}:${port}` };
}

const remote = ({ socket }: Opened) => socket?.remoteAddress;

test("hosts maps a name to its addresses in turn, without a question to the name server", async () => {
  const target = await startTarget();
  const server = await startNameServer(() => "NXDOMAIN");
  const { open } = startDialer({
    hosts: { "shop.example": ["127.0.0.2", "127.0.0.3"] },
    dns: { ...dns, servers: [server.address] },
  });
  const addresses = [];
  for (let count = 0; count < 4; count++) addresses.push(remote(await open(target.url("shop.example"))));
  expect(addresses).toEqual(["127.0.0.2", "127.0.0.3", "127.0.0.2", "127.0.0.3"]);
  const { opening } = await open(target.url("shop.example."));
  expect(opening.phases.lookingUp).toBe(0);
  expect(server.questions).toEqual([]);
});

test("hosts with a port maps that port alone, also to another port", async () => {
  const [first, second] = [await startTarget(), await startTarget()];
  const { open } = startDialer({
    hosts: {
      "shop.example:443": [`127.0.0.2:${first.port}`],
      "shop.example": ["127.0.0.3"],
      "api.example": [`127.0.0.4:${second.port}`],
    },
    protocol: "h2c",
  });
  const at = async (url: string) => {
    const { socket } = await open(url);
    return `${socket?.remoteAddress ?? "none"}:${socket?.remotePort ?? ""}`;
  };
  expect(await at("http://shop.example.:443")).toBe(`127.0.0.2:${first.port}`);
  expect(await at(first.url("shop.example"))).toBe(`127.0.0.3:${first.port}`);
  expect(await at("http://api.example:1")).toBe(`127.0.0.4:${second.port}`);
});

test("hosts maps a name to an IPv6 address with a port", async () => {
  const { port } = await startListener("::1");
  const { open } = startDialer({ hosts: { "six.example": [`[::1]:${port}`] } });
  expect((await open("http://six.example:1")).socket?.remotePort).toBe(port);
});

test("a look-up fails if hosts has no address of the required family", async () => {
  const { open } = startDialer({ hosts: { four: ["127.0.0.1"] }, dns: { ...dns, policy: "onlyIPv6" } });
  const { error, opening } = await open("http://four");
  expect(error).toMatchObject({ name: "NameLookUpError", code: "ENODATA" });
  expect(error?.message).toBe("hosts under dns.policy knows no address of four (ENODATA)");
  expect(opening.phase).toBe("lookingUp");
});

test("select: first takes the first address, random any of them", async () => {
  const target = await startTarget();
  const addresses = ["127.0.0.2", "127.0.0.3", "127.0.0.4"];
  const taken = async (select: "first" | "random") => {
    const { open } = startDialer({ hosts: { a: addresses }, dns: { ...dns, select } });
    const all = await Promise.all(
      Array.from({ length: 40 }, async () => remote(await open(target.url("a")))),
    );
    return [...new Set(all)].sort();
  };
  expect(await taken("first")).toEqual(["127.0.0.2"]);
  expect(await taken("random")).toEqual(addresses);
});

test("an answer is reused for its time to live; connections that need a name at the same time share a question", async () => {
  const target = await startTarget();
  const server = await startNameServer(
    () => ["127.0.0.1"],
    () => 20,
  );
  const kept = startDialer({ dns: { ...dns, servers: [server.address] } });
  await Promise.all(Array.from({ length: 5 }, () => kept.open(target.url("kept.example"))));
  await kept.open(target.url("kept.example"));
  expect(server.questions).toEqual(["A kept.example"]);
  const asking = startDialer({ dns: { ...dns, ttlMs: 0, servers: [server.address] } });
  await Promise.all([asking.open(target.url("new.example")), asking.open(target.url("new.example"))]);
  const { error, opening } = await asking.open(target.url("new.example"));
  expect(error).toBeNull();
  expect(opening.phases.lookingUp).toBeGreaterThanOrEqual(19);
  expect(server.questions.slice(1)).toEqual(["A new.example", "A new.example"]);
});

test("the preferred family is looked up, and the other one if it has no address", async () => {
  const target = await startTarget();
  const server = await startNameServer(() => ["127.0.0.1"]);
  const ask = async (policy: typeof dns.policy) => {
    server.questions.length = 0;
    const { open } = startDialer({ dns: { ...dns, policy, servers: [server.address] } });
    const { error } = await open(target.url("a.example"));
    return [error?.code ?? "ok", ...server.questions.sort()];
  };
  expect(await ask("preferIPv4")).toEqual(["ok", "A a.example"]);
  expect(await ask("preferIPv6")).toEqual(["ok", "A a.example", "AAAA a.example"]);
  expect(await ask("onlyIPv4")).toEqual(["ok", "A a.example"]);
  expect(await ask("onlyIPv6")).toEqual(["ENODATA", "AAAA a.example"]);
  expect(await ask("any")).toEqual(["ok", "A a.example", "AAAA a.example"]);
});

test.each([
  ["NXDOMAIN", "notFound", "ENOTFOUND"],
  ["SERVFAIL", "failed", "ESERVFAIL"],
  ["REFUSED", "failed", "EREFUSED"],
  [[], "notFound", "ENODATA"],
] satisfies [Answer, string, string][])("%j from a name server is an error", async (answer, kind, code) => {
  const server = await startNameServer(() => answer);
  const { open } = startDialer({ dns: { ...dns, servers: [server.address] } });
  const { error, opening } = await open("http://shop.example");
  expect(error).toMatchObject({ name: "NameLookUpError", kind, code });
  expect(error?.message).toContain(server.address);
  expect(error?.message).toContain("shop.example");
  expect(opening).toMatchObject({ phase: "lookingUp", raw: null });
});

test.each([
  { four: "SERVFAIL", six: [], code: "ESERVFAIL" },
  { four: [], six: "REFUSED", code: "EREFUSED" },
  { four: [], six: [], code: "ENODATA" },
] satisfies { four: Answer; six: Answer; code: string }[])(
  "of both families' answers, $four and $six, the error is $code",
  async ({ four, six, code }) => {
    const server = await startNameServer((question) => (question.startsWith("AAAA") ? six : four));
    const { open } = startDialer({ dns: { ...dns, policy: "any", servers: [server.address] } });
    const { error } = await open("http://shop.example");
    expect(error).toMatchObject({ name: "NameLookUpError", code });
    expect(error?.message).toContain(server.address);
  },
);

test("a name server that refuses is distinguished from a target that does, and a failed answer is not cached", async () => {
  const server = await startNameServer(() => "SERVFAIL");
  const { open } = startDialer({ dns: { ...dns, servers: ["127.0.0.1:1"] } });
  const { error, opening } = await open("http://shop.example");
  expect(error).toMatchObject({ name: "NameLookUpError", kind: "failed", code: "ECONNREFUSED" });
  expect(opening.phase).toBe("lookingUp");
  const again = startDialer({ dns: { ...dns, servers: [server.address] } });
  await again.open("http://shop.example");
  await again.open("http://shop.example");
  expect(server.questions).toHaveLength(2);
});

test("the system's resolver fails for an unknown name; name servers are not asked for localhost", async () => {
  const target = await startTarget();
  const { error } = await startDialer().open("http://no-such-host.invalid");
  expect(error).toMatchObject({ name: "NameLookUpError", code: expect.stringMatching(/^E/) as string });
  const server = await startNameServer(() => "NXDOMAIN");
  const { open } = startDialer({ dns: { ...dns, servers: [server.address] } });
  expect(remote(await open(target.url("localhost")))).toBe("127.0.0.1");
  expect(remote(await startDialer().open(target.url("localhost")))).toBe("127.0.0.1");
  expect(server.questions).toEqual([]);
});

test("slow look-ups do not hold up others", async () => {
  const target = await startTarget();
  const server = await startNameServer((question) => (question.includes("slow") ? "silence" : ["127.0.0.1"]));
  const { open, begin } = startDialer({ dns: { ...dns, servers: [server.address] } });
  const ends: Opened[] = [];
  for (let count = 0; count < 50; count++) begin(target.url(`slow${count}.example`), ends);
  // The resolver gives up the slow ones after seconds.
  expect((await open(target.url("quick.example"))).error).toBeNull();
  expect(ends).toEqual([]);
});

test("a look-up that is cancelled leaves nothing open, and goes on for others", async () => {
  const target = await startTarget();
  const server = await startNameServer(
    () => ["127.0.0.1"],
    () => 60,
  );
  const { begin } = startDialer({ dns: { ...dns, servers: [server.address] } });
  const ends: Opened[] = [];
  const first = begin(target.url("shop.example"), ends);
  const second = begin(target.url("shop.example"), ends);
  await eventually(() => expect(server.questions).toHaveLength(1));
  first.cancel();
  await eventually(() => expect(ends).toHaveLength(1));
  expect(ends[0]).toMatchObject({ error: null, opening: second });
  ends[0]?.socket?.destroy();
  const third = begin(target.url("other.example"), ends);
  await eventually(() => expect(server.questions).toHaveLength(2));
  third.cancel();
  await expectNothingOpen();
  expect(ends).toHaveLength(1);
});
