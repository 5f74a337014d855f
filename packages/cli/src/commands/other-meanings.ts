/** Problems of values that fit the same letter in another tool, with the way to write that here. */
const otherMeanings: readonly (readonly [problem: RegExp, advice: string])[] = [
  [
    /^--timeout: Duration "[^"]*\//,
    'For a content type, as with -T of ab and hey, use -H "content-type: …".',
  ],
  [/^--workers \d+(?:ms|s|m):/, "For a timeout, as with -t of oha, use -T 20s."],
  [
    /^-p \d+: there is no file/,
    'For pipelining, as with -p of autocannon, write a test with transport: "undici".',
  ],
  [/^-X \S+:\d+:/, "For a proxy, as with -X of ab, use -x http://host:port."],
];

/** Adds to a problem what the option means in another tool, where its value fits that. */
export function withOtherMeaning(problem: string): string {
  const advice = otherMeanings.find(([pattern]) => pattern.test(problem))?.[1];
  return advice === undefined ? problem : `${problem} ${advice}`;
}
