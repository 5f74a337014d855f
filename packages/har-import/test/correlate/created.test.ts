import { createReadStream } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type CapturedRequest, importCapture } from "../../src/index.ts";
import { requestsOf } from "../har-file.ts";
import { requestsFrom, sent } from "./visit-in-steps.ts";

async function requestsOfFile(name: string): Promise<CapturedRequest[]> {
  const file = join(import.meta.dirname, "../fixtures/field", name);
  const { model } = await importCapture(() => createReadStream(file));
  return requestsOf(model);
}

const pathsOf = (requests: readonly CapturedRequest[]) => requests.map((one) => sent(one)["path"]);

describe("the id of what a request created is extracted", () => {
  test("without the session that a server writes behind it", async () => {
    const requests = await requestsOfFile("jsessionid.har");
    expect(pathsOf(requests)).toEqual(["/owners/new", "/owners/new", "/owners/{ownerId}/pets/new"]);
    expect(requests[1]?.extractions).toEqual([{ name: "ownerId", from: { segment: -1 } }]);
  });

  test("and sent where a link has the session, too", async () => {
    const id = "0A1B2C3D4E5F60718293A4B5C6D7E8F9";
    const location = `/owners/11;jsessionid=${id}`;
    const headers = { location, "set-cookie": `JSESSIONID=${id}; Path=/` };
    const [, made, edit] = await requestsFrom(
      { path: "/" },
      { path: "/owners/new", form: { n: "1" }, answer: { status: 302, headers } },
      { path: location },
      { path: `${location}/edit` },
    );
    expect(made?.extractions).toEqual([{ name: "ownerId", from: { segment: -1 } }]);
    expect(sent(edit)).toMatchObject({ path: "/owners/{ownerId};jsessionid={JSESSIONID}/edit" });
  });
});
