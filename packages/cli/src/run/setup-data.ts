import { isDeepStrictEqual } from "node:util";

/** A test and a seed: data of one run is of no use to another. */
export interface RunIdentity {
  readonly testHash: string | null;
  readonly seed: number;
}

const schema = "bearhug/setup-data@1";

/** The data that setup returned, for the other shards. @throws for data that JSON does not keep as it is */
export function writeSetupData(identity: RunIdentity, data: unknown): string {
  const text = stringify({ schema, ...identity, data });
  if (text === null || !isDeepStrictEqual(dataIn(JSON.parse(text)), data))
    throw new TypeError(
      "setup returned data that JSON cannot hold. Return plain objects, arrays, texts and numbers",
    );
  return text;
}

/** Null for what JSON cannot write at all, such as a BigInt or a circle. */
function stringify(value: object): string | null {
  try {
    return JSON.stringify(value);
  } catch {
    return null;
  }
}

/** Reads the data of the first shard, which came from the place `from`. @throws where it is another run's */
export function readSetupData(text: string, identity: RunIdentity, from: string): unknown {
  const found: unknown = parse(text, from);
  if (!isOf(found, identity))
    throw new TypeError(`${from} does not hold the setup data of this test and seed`);
  return dataIn(found);
}

function parse(text: string, from: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TypeError(
      `${from} does not hold setup data: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}

function isOf(found: unknown, { testHash, seed }: RunIdentity): boolean {
  if (typeof found !== "object" || found === null) return false;
  const { schema: kind, testHash: hash, seed: given } = found as Readonly<Record<string, unknown>>;
  return kind === schema && hash === testHash && given === seed;
}

function dataIn(found: unknown): unknown {
  return typeof found === "object" && found !== null && "data" in found ? found.data : undefined;
}
