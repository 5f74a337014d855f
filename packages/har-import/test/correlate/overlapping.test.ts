import { expect, test } from "vitest";
import { importField } from "../field-capture.ts";
import { entryOf, importEntries, requestsOf, shownValue } from "../har-file.ts";

const token = "q8Jd72hLpQ0zXv5Tn3Mb7cYw";

/** Returns each wave's requests: their paths, and their headers with the token replaced. */
async function wavesOf(...entries: readonly unknown[]): Promise<string[][]> {
  const { steps } = await importEntries(entries);
  return steps.flatMap(({ waves }) =>
    waves.map(({ requests }) =>
      requests.map(({ path, headers }) => [...path, ...headers].map(shownValue).join(" ")),
    ),
  );
}

interface Timed {
  readonly startMs: number;
  readonly timeMs: number;
  readonly sends?: string;
  readonly responds?: string;
}

function call(path: string, { startMs, timeMs, sends, responds = "{}" }: Timed): unknown {
  const headers = sends === undefined ? [] : [{ name: "authorization", value: `Bearer ${sends}` }];
  return entryOf(`https://shop.test${path}`, {
    startedDateTime: new Date(Date.UTC(2026, 0, 1) + startMs).toISOString(),
    time: timeMs,
    timings: { send: 0, wait: timeMs, receive: 0 },
    _resourceType: "fetch",
    request: { headers },
    response: { content: { size: responds.length, mimeType: "application/json", text: responds } },
  });
}

test("a login's token is extracted even if it was used in the millisecond in which the login ended", async () => {
  const { model } = await importField("same-ms");
  const [login, settings] = requestsOf(model);
  expect(login?.extractions).toEqual([{ name: "token", from: { json: "token" } }]);
  expect(settings?.headers.map(({ value }) => value)).toContainEqual([
    { kind: "text", text: "Bearer " },
    { kind: "extracted", name: "token" },
  ]);
  expect(model.variables.map(({ name }) => name)).not.toContain("API_TOKEN");
});

const supplied = { responds: JSON.stringify({ token }) };

test.each([
  ["before the response ended", 150, 300],
  ["just after the response began", 10, 900],
])(
  "a request waits for the only response that supplies its value, even if it was sent %s",
  async (_when, startMs, timeMs) => {
    expect(
      await wavesOf(
        call("/token", { startMs: 0, timeMs, ...supplied }),
        call("/beside", { startMs: 5, timeMs: 20 }),
        call("/orders", { startMs, timeMs: 50, sends: token }),
      ),
    ).toEqual([["token", "beside"], ["orders Bearer {token}"]]);
  },
);

test("a value in two responses, or sent before a response, does not affect the order", async () => {
  const twice = await wavesOf(
    call("/token", { startMs: 0, timeMs: 300, ...supplied }),
    call("/again", { startMs: 2, timeMs: 300, ...supplied }),
    call("/orders", { startMs: 4, timeMs: 50, sends: token }),
  );
  expect(twice).toHaveLength(1);
  const before = await wavesOf(
    call("/orders", { startMs: 0, timeMs: 50, sends: token }),
    call("/token", { startMs: 2, timeMs: 300, ...supplied }),
    call("/more", { startMs: 4, timeMs: 50, sends: token }),
  );
  expect(before).toHaveLength(1);
});
