import { expect, test } from "vitest";
import { importField } from "../field-capture.ts";
import { entryFor, pageEntry, post, reasonsOf } from "./timed-entries.ts";

const home = pageEntry("https://www.shop.example/");
const form = "application/x-www-form-urlencoded";

test("a request that proves to the site that a browser is running is omitted as a bot check", async () => {
  const { model } = await importField("opaque");
  expect(model.variables).toEqual([]);
  expect(model.omissions).toMatchObject([{ entryIndex: 1, reason: "bot check" }]);
});

test.each([
  ["Akamai", "/kL8mQ/pWz3/aB", post('{"sensor_data":"3;0;1;0;42"}')],
  ["Imperva", "/_Incapsula_Resource", post("")],
  ["F5", "/TSPD/08a4?type=17", post("")],
  ["HUMAN", "/Ab1Cd2/xhr/api/v2/collector", post("payload=aUkQ&appId=PXab12", form)],
  ["DataDome", "/js/", post("jsData=%7B%7D&eventCounters=[]&ddk=A5", form)],
  ["Kasada", "/149e9513-01fa-4fb0-aad4-566afd725d1b/2d206a39-8ed7-437e-a3be-862e0f06eea3/tl", post("")],
])("a bot check of %s is omitted, even on a host of the site", (_product, path, request) => {
  expect(reasonsOf([home, entryFor(`https://www.shop.example${path}`, { request })])).toEqual([
    null,
    "bot check",
  ]);
});

test.each([
  ["the script that sends it", "/cdn-cgi/challenge-platform/scripts/jsd/main.js", {}],
  ["a collector of anything else", "/api/collector", post("payload=a", form)],
])("%s is kept", (_what, path, request) => {
  expect(reasonsOf([home, entryFor(`https://www.shop.example${path}`, { request })])).toEqual([null, null]);
});
