import { Option, type Command } from "commander";
import { addOptions, repeatableOption, switchOption } from "./options.ts";

/** Adds the options of commands that request URLs: the URLs and the parts of their requests. */
export function addRequestOptions(command: Command): Command {
  addOptions(command, "Target and variables", [
    new Option(
      "--urls <file>",
      'read URLs from a file (- for standard input), one per line: "[weight] [METHOD] URL"',
    ),
  ]);
  return addOptions(command, "The request", [
    repeatableOption("-H, --header <name: value>", "add a request header"),
    new Option("-X, --method <method>", "request method").default(undefined, "GET, or POST with a body"),
    new Option("-b, --body <text>", "request body: text, @file, or @- for standard input"),
    new Option("-p, --body-file <file>", "request body from a file, or - for standard input"),
    new Option("--body-size <size>", "generated request body: 5000, 20kB"),
    new Option("-u, --user <user:password>", "basic authentication"),
    switchOption("--compressed", "accept gzip, deflate, br and zstd"),
  ]);
}
