import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  explainCapture,
  importCapture,
  readCapture,
  redactHar,
  renderWaterfall,
  writeTest,
} from "../src/index.ts";
import { createLeakFinder } from "../src/secrets/known-secrets.ts";
import { bytesOf } from "./har-file.ts";
import { namedPlaces } from "./planted-secrets/named-places.ts";
import { otherPlaces } from "./planted-secrets/other-places.ts";
import { combine, type Plant } from "./planted-secrets/plant.ts";

const base62 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Generates random-looking text of the given length. */
function random(length: number, alphabet = base62): fc.Arbitrary<string> {
  // Every third character is a digit: a run of random letters could look like a word.
  return fc
    .array(fc.nat(alphabet.length - 1), { minLength: length, maxLength: length })
    .map((picks) =>
      picks.map((pick, at) => (at % 3 === 2 ? String(pick % 10) : (alphabet[pick] ?? ""))).join(""),
    );
}

const segment = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

const recognizable = {
  "a JSON web token": random(30).map(
    (tail) => `${segment({ alg: "HS256" })}.${segment({ sub: tail })}.${tail}`,
  ),
  "a Stripe key": random(24).map((tail) => `sk_live_${tail}`),
  "a GitHub token": random(36).map((tail) => `ghp_${tail}`),
  "a Slack token": random(24).map((tail) => `xoxb-123456-${tail}`),
  "an AWS key": random(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ").map((tail) => `AKIA${tail}`),
  "long and random": random(32),
  "long, random, with marks": random(40).map((text) => `${text.slice(0, 20)}+${text.slice(20)}/z9==`),
  "an e-mail address": random(8, "abcdefghij").map((name) => `${name}@people.test`),
} as const;

const pem = random(48).map((tail) => `-----BEGIN PRIVATE KEY-----\n${tail}\n-----END PRIVATE KEY-----`);
/** A password for which the formatter switches quotes. Formatting is slow, so each place is formatted with this password only. */
const quoted = 'corr"ect-h0rse';
const passwords = [quoted, "Tr0ub4dor&3", "p@ss wörd 17", "<hunter2>", "K9!xq#72", "a\\b/c'1d`"];

/** Returns every text that bearhug can write from a capture. */
async function outputsOf(har: unknown, formatted: boolean): Promise<string[]> {
  const open = (): Uint8Array[] => bytesOf(har);
  const outputs: string[] = [];
  try {
    for (const parameterize of [false, true]) {
      const imported = await importCapture(open, { parameterize });
      const { source, dataFiles, envExample } = await writeTest(imported, {
        formatted: formatted && !parameterize,
      });
      outputs.push(source, envExample, ...dataFiles.flatMap(({ name, text }) => [name, text]));
      outputs.push(
        JSON.stringify(imported.model),
        explainCapture(imported.model),
        renderWaterfall(imported.model),
      );
    }
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "CaptureError") throw error;
    outputs.push(error.message, error.stack ?? "");
  }
  outputs.push(JSON.stringify((await readCapture(open())).findings));
  let redacted = "";
  for await (const piece of redactHar(open)) redacted += piece;
  return [...outputs, redacted];
}

async function expectNoLeak({ place, plant }: Plant, secret: string, formatted = false): Promise<void> {
  const outputs = await outputsOf(plant(secret), formatted);
  const leaks = createLeakFinder([secret])(outputs).map(
    ({ textIndex, start }) => outputs[textIndex]?.slice(Math.max(0, start - 150), start + 150) ?? "",
  );
  expect(leaks, `${secret} in ${place}`).toEqual([]);
  expect(
    outputs.some((text) => text.includes(secret)),
    place,
  ).toBe(false);
}

/** Plants a different secret in each place. */
async function expectNoLeakInAny(plants: readonly Plant[], secrets: fc.Arbitrary<string>): Promise<void> {
  const one = fc.array(secrets, { minLength: plants.length, maxLength: plants.length });
  const property = fc.asyncProperty(one, async (planted) => {
    for (const [index, plant] of plants.entries()) await expectNoLeak(plant, planted[index] ?? "");
  });
  await fc.assert(property, { numRuns: 1 });
}

describe("a secret that is recognizable by its form is in no output, wherever it was recorded", () => {
  test.each(Object.entries(recognizable))("%s", async (_kind, secrets) => {
    await expectNoLeakInAny([...namedPlaces, ...otherPlaces], secrets);
  });

  test("a PEM, in bodies", async () => {
    const bodies = [...namedPlaces, ...otherPlaces].filter(({ place }) => /JSON|form|multipart/i.test(place));
    await expectNoLeakInAny(bodies, pem);
  });
});

describe("a secret that is recognizable by its name is in no output", () => {
  test.each(namedPlaces)("$place", async (plant) => {
    for (const secret of passwords) await expectNoLeak(plant, secret, secret === quoted);
  });
});

test("a named secret is also found in other places, escaped or not, before or after the name", async () => {
  // The importer ignores the queryString list: it reads the query from the URL.
  const read = namedPlaces.filter(({ place }) => place !== "queryString list");
  const plants = fc.tuple(fc.constantFrom(...read), fc.constantFrom(...otherPlaces));
  const made = fc.constantFrom("Tr0ub4dor&3", "K9!xq#72-b", "wörd-17/x", "9f-blue-Horse");
  await fc.assert(
    fc.asyncProperty(plants, made, ([named, other], secret) => expectNoLeak(combine(named, other), secret)),
    { numRuns: 200 },
  );
});
