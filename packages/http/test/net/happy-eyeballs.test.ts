import { networkInterfaces } from "node:os";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import type { ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import { describe, expect, test, vi } from "vitest";

import { eventually } from "../../../cli/test/eventually.ts";
import { startFullServer } from "../delayed-phases/full-backlog.ts";
import { closedPort } from "../servers.ts";
import { expectPartsOfWhole, startDialer, type Opened } from "./start-dialer.ts";
import { startListener } from "./start-listener.ts";

const hasIPv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === "::1"),
);
const dns = { ...defaultHttp.dns, policy: "preferIPv6", select: "first" } as const;

/** Maps a host to these addresses; IPv6 is preferred. */
function hostWith(...addresses: readonly string[]): Pick<ValidatedHttp, "dns" | "hosts"> {
  return { dns, hosts: { "two.example": addresses } };
}

describe.skipIf(!hasIPv6 || process.platform !== "linux")("a host with addresses of both families", () => {
  test("is reached at the other if the preferred one is silent; the wait counts as connecting", async () => {
    const silent = await startFullServer("::1");
    const { port } = await startListener("127.0.0.1");
    const { open, opened, closed } = startDialer(hostWith(silent.host, `127.0.0.1:${port}`));
    const result = await open("http://two.example");
    expect(result.error).toBeNull();
    expect(result.opening.peer).toMatchObject({ remoteAddress: "127.0.0.1", remotePort: port });
    // Without the race it would be a second, after which the system sends the SYN again.
    expect(result.opening.phases.connecting).toBeGreaterThanOrEqual(249);
    expect(result.opening.phases.connecting).toBeLessThan(950);
    expectPartsOfWhole(result);
    expect([opened(), closed()]).toEqual([1, 0]);
  });

  test("is reached at the preferred one if that accepts, and the other is not tried", async () => {
    const six = await startListener("::1");
    const four = await startListener("127.0.0.1");
    const { open } = startDialer(hostWith(`[::1]:${six.port}`, `127.0.0.1:${four.port}`));
    expect((await open("http://two.example")).opening.peer?.remoteAddress).toBe("::1");
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect([six.sockets.length, four.sockets.length]).toEqual([1, 0]);
  });

  test("is reached at the other at once if the preferred one refuses", async () => {
    const { port } = await startListener("127.0.0.1");
    const closed = new URL(await closedPort()).port;
    const { open } = startDialer(hostWith(`[::1]:${closed}`, `127.0.0.1:${port}`));
    const { opening } = await open("http://two.example");
    expect(opening.peer?.remoteAddress).toBe("127.0.0.1");
    expect(opening.phases.connecting).toBeLessThan(249);
  });

  test("is reached at the silent one, once that accepts, if the other refuses", async () => {
    const silent = await startFullServer("::1");
    const closed = new URL(await closedPort()).port;
    const { begin } = startDialer(hostWith(silent.host, `127.0.0.1:${closed}`));
    const ends: Opened[] = [];
    begin("http://two.example", ends);
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(ends).toEqual([]);
    silent.acceptAll();
    await vi.waitFor(() => expect(ends[0]?.opening.peer?.remoteAddress).toBe("::1"), 5000);
  });

  test("leaves nothing open if the opening is cancelled in the middle of the race", async () => {
    const six = await startFullServer("::1");
    const four = await startFullServer();
    const { begin, opened } = startDialer(hostWith(six.host, four.host));
    const ends: Opened[] = [];
    const sockets = (): number =>
      process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;
    const before = sockets();
    const opening = begin("http://two.example", ends);
    await eventually(() => expect(sockets()).toBe(before + 2));
    opening.cancel();
    await eventually(() => expect(sockets()).toBe(before));
    expect([ends, opened()]).toEqual([[], 0]);
  });
});

test("addresses of one family are not raced: the second would hide that the first is overloaded", async () => {
  const silent = await startFullServer();
  const { port, sockets } = await startListener("127.0.0.2");
  const { begin } = startDialer(hostWith(silent.host, `127.0.0.2:${port}`));
  const ends: Opened[] = [];
  const opening = begin("http://two.example", ends);
  await new Promise((resolve) => setTimeout(resolve, 350));
  expect([ends, sockets]).toEqual([[], []]);
  opening.cancel();
});
