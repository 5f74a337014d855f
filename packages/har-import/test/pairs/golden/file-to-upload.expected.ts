// Generated once from a capture of https://shop.example. Edit freely.
// 1 request body was not recorded in full, as is usual for uploads. Comments in
// the test say how to add what is missing.
import { readFileSync } from "node:fs";

import { defineTest, noJsonErrors, statusIs } from "@bearhug/sdk";

const files = new Map<string, Uint8Array>();

/** Content of the file at a path, read once; empty if the path is "". */
const contentOf = (path: string) => {
  const content =
    files.get(path) ?? (path === "" ? new Uint8Array() : readFileSync(path));
  files.set(path, content);
  return content;
};

export default defineTest({
  name: "shop.example",
  baseUrl: "https://shop.example",
  env: {
    PHOTO_FILE: {
      optional: true,
      description:
        'The path of a file to upload. The form field "photo" of POST /api/photos.',
    },
  },
  thresholds: {
    // At most one failure in 20 visits, as a starting point.
    checks: ["rate>99%"],
    http_req_failed: ["rate<1%"],
    iteration_failed: ["rate<1%"],
  },
  scenarios: {
    visitors: {
      executor: "shared-iterations",
      vus: 1,
      iterations: 1,
      exec: async ({ http, group, check, env }) => {
        await group("POST /api/photos", async () => {
          // the uploaded file was not recorded: set PHOTO_FILE to the path of one. Until
          // then, an empty file is sent
          const photos = await http.post("/api/photos", {
            multipart: {
              photo: {
                content: contentOf(env.PHOTO_FILE),
                filename: "cat.jpg",
                type: "image/jpeg",
              },
            },
          });
          check(photos, { ...statusIs(200), ...noJsonErrors() });
        });
      },
    },
  },
});
