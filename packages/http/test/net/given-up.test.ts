import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import { randomSource } from "@bearhug/plan/pacing/random-source";
import { describe, expect, test } from "vitest";

import { eventually } from "../../../cli/test/eventually.ts";
import { hasOpenssl, makeCertificate } from "../make-certificate.ts";
import { expectNothingOpen, startDialer, type Opened } from "./start-dialer.ts";
import { startNameServer } from "./start-name-server.ts";
import { startProxy } from "./start-proxy.ts";
import { startTlsServer } from "./start-tls-server.ts";

const certificate = hasOpenssl ? makeCertificate("DNS:shop.example,IP:127.0.0.1") : null;

const phases = ["lookingUp", "connecting", "tlsHandshaking"] as const;

describe.skipIf(!hasOpenssl)("an opening that is cancelled (needs openssl to make a certificate)", () => {
  test.each([1, 2, 3])("in any phase reports nothing and leaves nothing open (seed %i)", async (seed) => {
    const random = randomSource(seed, 0);
    const server = await startTlsServer({ ...certificate });
    const names = await startNameServer(
      () => ["127.0.0.1"],
      () => 3 * random(),
    );
    const proxy = await startProxy(3);
    const settings = {
      tls: { ...defaultHttp.tls, ca: [certificate?.cert ?? ""] },
      dns: { ...defaultHttp.dns, ttlMs: 0, servers: [names.address] },
    };
    const direct = startDialer(settings);
    const tunnelled = startDialer({ ...settings, proxy: proxy.url.replace("127.0.0.1", "proxy.example") });
    const cancelledIn = new Set<string>();
    const round = async ({ begin }: typeof direct, host: string, index: number): Promise<void> => {
      const ends: Opened[] = [];
      const opening = begin(`https://${host}:${server.port}`, ends);
      const wanted = phases[index % phases.length];
      while (opening.phase !== wanted && ends.length === 0) await nextTurn();
      for (let turns = Math.floor(4 * random()); turns > 0; turns--) await nextTurn();
      cancelledIn.add(ends.length > 0 ? "open" : opening.phase);
      opening.cancel();
      const reported = ends.length;
      ends[0]?.socket?.destroy();
      await delay(30);
      expect(ends).toHaveLength(reported);
      expect(ends.map(({ error }) => error).filter((error) => error !== null)).toEqual([]);
    };
    const rounds = Array.from({ length: 30 }, (_, index) => [
      round(direct, "shop.example", index),
      round(tunnelled, "127.0.0.1", index),
    ]);
    await Promise.all(rounds.flat());
    expect([...cancelledIn]).toEqual(expect.arrayContaining([...phases]));
    await expectNothingOpen();
    for (const { opened, closed } of [direct, tunnelled]) {
      await eventually(() => expect(closed()).toBe(opened()));
    }
  });
});
