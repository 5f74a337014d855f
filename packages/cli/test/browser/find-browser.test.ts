import { expect, test } from "vitest";

import { findBrowser } from "../../src/browser/find-browser.ts";

const chrome = { mac: "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" };
const windows = { PROGRAMFILES: "C:\\Program Files", LOCALAPPDATA: "C:\\Users\\me\\AppData\\Local" };
const unix = { PATH: "/usr/local/bin:/usr/bin", HOME: "/home/me" };

test.for([
  ["linux", unix, ["/usr/bin/chromium", "/usr/bin/google-chrome"], undefined, "Google Chrome"],
  ["linux", unix, ["/usr/bin/chromium", "/opt/microsoft/msedge/msedge"], undefined, "Microsoft Edge"],
  ["linux", unix, ["/usr/bin/chromium", "/usr/bin/google-chrome"], "chromium", "Chromium"],
  ["linux", unix, ["/usr/bin/chromium"], "edge", undefined],
  ["linux", {}, [], undefined, undefined],
  ["darwin", unix, [chrome.mac], undefined, "Google Chrome"],
  ["darwin", unix, ["/home/me/Applications/Chromium.app/Contents/MacOS/Chromium"], undefined, "Chromium"],
  [
    "win32",
    windows,
    ["C:\\Program Files\\Microsoft\\Edge\\Application\\msedge.exe"],
    undefined,
    "Microsoft Edge",
  ],
  ["linux", unix, ["/my/brave"], "/my/brave", "/my/brave"],
  ["linux", unix, [], "/my/brave", undefined],
] as const)("on %s with %j and %j, --browser %s finds %s", ([platform, environment, files, wanted, name]) => {
  const isFile = (path: string) => (files as readonly string[]).includes(path);
  const found = findBrowser(wanted, { platform, environment, isFile });
  expect(found?.name).toBe(name);
  if (found !== null) expect(files).toContain(found.executable);
});
