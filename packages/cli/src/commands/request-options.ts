import { Option, type Command } from "commander";

import { collect } from "./load-options.ts";

/** Adds the options of commands that request URLs: the URLs and the parts of their requests. */
export function addRequestOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--urls <file>",
        'read URLs from a file (- for standard input), one per line: "[weight] [METHOD] URL"',
      ).helpGroup("Target and variables:"),
    )
    .addOption(
      new Option("-H, --header <name: value>", "add a request header")
        .helpGroup("The request:")
        .argParser(collect)
        .default([]),
    )
    .addOption(
      new Option("-X, --method <method>", "request method")
        .helpGroup("The request:")
        .default(undefined, "GET, or POST with a body"),
    )
    .addOption(
      new Option("-b, --body <text>", "request body: text, @file, or @- for standard input").helpGroup(
        "The request:",
      ),
    )
    .addOption(
      new Option("-p, --body-file <file>", "request body from a file, or - for standard input").helpGroup(
        "The request:",
      ),
    )
    .addOption(
      new Option("--body-size <size>", "generated request body: 5000, 20kB").helpGroup("The request:"),
    )
    .addOption(new Option("-u, --user <user:password>", "basic authentication").helpGroup("The request:"))
    .addOption(
      new Option("--compressed", "accept gzip, deflate, br and zstd")
        .helpGroup("The request:")
        .default(false),
    );
}
