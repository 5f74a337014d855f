// Reads a CSV file once with csv-parse, and keeps no row. `large-feed.ts` compares a run with it.
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";

import { parse } from "csv-parse";

const [file = ""] = process.argv.slice(2);
let rows = 0;
const parser = parse({
  columns: true,
  on_record: () => {
    rows++;
    return null;
  },
});
await pipeline(createReadStream(file, { highWaterMark: 2 ** 20 }), parser);
if (rows === 0) throw new Error(`${file} has no rows`);
