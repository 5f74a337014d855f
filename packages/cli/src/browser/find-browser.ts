import { posix, win32 } from "node:path";

/** A browser that is installed on this machine. */
export interface FoundBrowser {
  readonly name: string;
  readonly executable: string;
}

/** The machine to search. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isFile: (path: string) => boolean;
}

/** The names that `--browser` accepts, in order of preference. */
export const browserNames = ["chrome", "edge", "chromium"] as const;

export type BrowserName = (typeof browserNames)[number];

const titles: Readonly<Record<BrowserName, string>> = {
  chrome: "Google Chrome",
  edge: "Microsoft Edge",
  chromium: "Chromium",
};

const commands: Readonly<Record<BrowserName, readonly string[]>> = {
  chrome: ["google-chrome", "google-chrome-stable"],
  edge: ["microsoft-edge", "microsoft-edge-stable"],
  chromium: ["chromium", "chromium-browser"],
};

const linuxPaths: Readonly<Record<BrowserName, readonly string[]>> = {
  chrome: ["/opt/google/chrome/chrome"],
  edge: ["/opt/microsoft/msedge/msedge"],
  chromium: ["/snap/bin/chromium"],
};

const windowsPaths: Readonly<Record<BrowserName, string>> = {
  chrome: "Google\\Chrome\\Application\\chrome.exe",
  edge: "Microsoft\\Edge\\Application\\msedge.exe",
  chromium: "Chromium\\Application\\chrome.exe",
};

/** Finds an installed browser by the requested name or path; without one, the first of `browserNames`. */
export function findBrowser(requested: string | undefined, machine: Machine): FoundBrowser | null {
  const named = browserNames.find((name) => name === requested);
  if (requested !== undefined && named === undefined)
    return machine.isFile(requested) ? { name: requested, executable: requested } : null;
  for (const name of named === undefined ? browserNames : [named]) {
    const executable = candidates(name, machine).find(machine.isFile);
    if (executable !== undefined) return { name: titles[name], executable };
  }
  return null;
}

/** Returns the paths where a browser is usually installed. */
function candidates(name: BrowserName, { platform, environment }: Machine): string[] {
  if (platform === "win32") {
    const folders = ["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"].map(
      (variable) => environment[variable],
    );
    return folders.flatMap((folder) => (folder ? [win32.join(folder, windowsPaths[name])] : []));
  }
  if (platform === "darwin") {
    const folders = ["/Applications", posix.join(environment["HOME"] ?? "/", "Applications")];
    return folders.map((folder) => posix.join(folder, `${titles[name]}.app/Contents/MacOS/${titles[name]}`));
  }
  const folders = (environment["PATH"] ?? "").split(":").filter((folder) => folder !== "");
  return [
    ...commands[name].flatMap((command) => folders.map((folder) => posix.join(folder, command))),
    ...linuxPaths[name],
  ];
}
