#!/usr/bin/env node
// Runs on any Node, however old, to say which one is needed: no syntax newer than ES2015 in this file.
var [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    "bearhug needs Node 22.19 or newer; this is Node " +
      process.versions.node +
      " (" +
      process.execPath +
      ").\n"
  );
  process.exitCode = 104;
} else {
  // Names are looked up by half of libuv's threads: of the usual four, two slow name servers would hold up everybody.
  if (!process.env.UV_THREADPOOL_SIZE) process.env.UV_THREADPOOL_SIZE = "16";
  useCompileCache();
  import("../dist/main.js");
}

/** Keeps compiled code in a folder of its own, for the next start and for threads. bearhug doctor names it. */
function useCompileCache() {
  var [fs, os] = [process.getBuiltinModule("node:fs"), process.getBuiltinModule("node:os")];
  // os.userInfo throws in a container whose user has no entry.
  var uid = process.getuid ? process.getuid() : -1;
  var folder = os.tmpdir() + "/bearhug-compile-cache-" + uid;
  try {
    // Node makes a temporary folder that is missing, and never stops trying where it cannot be made.
    fs.mkdirSync(folder, 448);
  } catch (error) {
    if (error.code !== "EEXIST") return;
    // Code that another user could have written is not run.
    var found = fs.lstatSync(folder);
    if (!found.isDirectory() || (uid !== -1 && (found.uid !== uid || (found.mode & 18) !== 0))) return;
  }
  var cache = process.getBuiltinModule("node:module").enableCompileCache(folder);
  // Threads do not inherit the setting, but the environment.
  if (cache.directory && !process.env.NODE_COMPILE_CACHE) process.env.NODE_COMPILE_CACHE = cache.directory;
}
