/** A flag of another load tool that bearhug does not have under that name. */
export interface ForeignFlag {
  readonly flag: string;
  readonly tools: readonly string[];
  /** True if a value follows. Implied by a `{}` in `is`. */
  readonly hasValue?: boolean;
  /** The values that it is about; any if left out. */
  readonly when?: RegExp;
  /** The same in bearhug: the first line whose flags the command has. `{}` stands for the value, which is shown then. */
  readonly is?: readonly string[];
  /** Follows `is`, or stands in its place where bearhug has no such flag: `is not needed: …`. */
  readonly says?: string;
}

const inATest = "write a test for bearhug run";
const onlyTotals = "in total, for all threads together";
const keepsAlive = "is not needed: connections are kept open";
const carriesOn = "is not needed: errors never end a run";
const anyLength = "is not needed: responses may vary in length";
const bodyFile = ["--body-file {}"];
const none = "has no equivalent here";

/** Rows of one flag stand in the order in which they are tried. */
export const foreignFlags: readonly ForeignFlag[] = [
  // Duration and amount of load
  { flag: "-z", tools: ["hey", "oha"], is: ["--duration {}"] },
  { flag: "-duration", tools: ["vegeta"], is: ["--duration {}"] },
  {
    flag: "--no-duration",
    tools: ["Nighthawk"],
    says: `${none}: give a long --duration, and end it with Ctrl+C`,
  },
  {
    flag: "--forever",
    tools: ["autocannon"],
    says: `${none}: give a long --duration, and end it with Ctrl+C`,
  },
  { flag: "--amount", tools: ["autocannon"], is: ["--requests {}", "--iterations {}"] },
  { flag: "--maxOverallRequests", tools: ["autocannon"], is: ["--requests {}", "--iterations {}"] },
  { flag: "--iterations", tools: ["k6"], is: ["--requests {}"] },
  { flag: "-i", tools: ["k6"], when: /^\d+$/, is: ["--requests {}", "--iterations {}"] },
  {
    flag: "--num",
    tools: ["artillery quick"],
    hasValue: true,
    is: ["--requests"],
    says: "for all users together: --count × --num",
  },

  // Virtual users, connections and threads
  { flag: "--vus", tools: ["k6"], is: ["--connections {}"] },
  { flag: "--connections", tools: ["wrk", "autocannon", "Nighthawk"], is: ["--vus {}"] },
  { flag: "--count", tools: ["artillery quick"], is: ["--connections {}", "--vus {}"] },
  { flag: "-workers", tools: ["vegeta"], is: ["--connections {}", "--vus {}"] },
  { flag: "-max-workers", tools: ["vegeta"], is: ["--connections {}", "--vus {}"] },
  { flag: "-connections", tools: ["vegeta"], is: ["--connections {}", "--vus {}"] },
  { flag: "-max-connections", tools: ["vegeta"], is: ["--connections {}", "--vus {}"] },
  {
    flag: "--max-active-requests",
    tools: ["Nighthawk"],
    is: ["--connections {}", "--vus {}"],
    says: ", times --concurrency: limits are totals",
  },
  { flag: "--threads", tools: ["wrk"], is: ["--workers {}"] },
  { flag: "-cpus", tools: ["hey"], is: ["--workers {}"] },
  { flag: "-w", tools: ["autocannon"], when: /^\d+$/, is: ["--workers {}"] },
  {
    flag: "--concurrency",
    tools: ["Nighthawk"],
    is: ["--workers {}"],
    says: "; rates and connections are totals",
  },
  { flag: "-W", tools: ["autocannon"], hasValue: true, is: ["--warmup 5s"] },
  { flag: "--simple-warmup", tools: ["Nighthawk"], is: ["--warmup 5s"] },

  // Rates
  { flag: "-R", tools: ["wrk2", "autocannon"], is: ["--rate {}"] },
  { flag: "-rate", tools: ["vegeta"], when: /^\d+$/, is: ["--rate {}"] },
  { flag: "-rate", tools: ["vegeta"], hasValue: true, is: ["--rate"], says: "such as 50/s or 3000/m" },
  { flag: "--rps", tools: ["Nighthawk"], is: ["--rate {}"], says: ", times --concurrency: rates are totals" },
  { flag: "-q", tools: ["oha"], is: ["--rate {}"], says: "; hey's is per worker, so multiply it by -c" },
  { flag: "--overallRate", tools: ["autocannon"], is: ["--rate {}"] },
  { flag: "--connectionRate", tools: ["autocannon"], hasValue: true, is: ["--rate"], says: onlyTotals },
  {
    flag: "--open-loop",
    tools: ["Nighthawk"],
    says: "is not needed: with --rate, the load is an open model",
  },
  {
    flag: "--latency-correction",
    tools: ["oha"],
    says: "is not needed: with --rate, times count from the schedule",
  },
  { flag: "--jitter-uniform", tools: ["Nighthawk"], hasValue: true, is: ["--arrivals poisson"] },
  {
    flag: "--burst-size",
    tools: ["Nighthawk"],
    hasValue: true,
    is: ["--arrivals poisson"],
    says: ", as real users",
  },
  {
    flag: "--burst-rate",
    tools: ["oha"],
    hasValue: true,
    is: ["--arrivals poisson"],
    says: ", as real users",
  },
  { flag: "--stage", tools: ["k6"], hasValue: true, says: `${none}: ${inATest}, with ramping-vus` },
  { flag: "-s", tools: ["k6"], when: /^\d+\w+:/, says: `${none}: ${inATest}, with ramping-vus` },

  // Requests
  { flag: "-m", tools: ["ab", "hey", "oha", "autocannon"], is: ["--method {}"] },
  { flag: "--request-method", tools: ["Nighthawk"], is: ["--method {}"] },
  { flag: "--request", tools: ["curl"], is: ["--method {}"] },
  { flag: "-i", tools: ["autocannon"], when: /^(?!-|\w+:\/\/)./, is: bodyFile },
  { flag: "-i", tools: ["ab"], is: ["--method HEAD"] },
  { flag: "-header", tools: ["vegeta"], is: ["--header {}"] },
  { flag: "--headers", tools: ["autocannon"], hasValue: true, is: ['--header "name: value"'] },
  { flag: "--request-header", tools: ["Nighthawk"], is: ["--header {}"] },
  { flag: "-A", tools: ["ab"], when: /^[^/]*:[^/]*$/, hasValue: true, is: ["--user name:password"] },
  { flag: "-A", tools: ["hey", "oha"], hasValue: true, is: ['--header "accept: text/html"'] },
  { flag: "-a", tools: ["autocannon"], when: /^\d+$/, is: ["--requests {}", "--iterations {}"] },
  { flag: "-a", tools: ["hey", "oha"], hasValue: true, is: ["--user name:password"] },
  { flag: "-C", tools: ["ab"], hasValue: true, is: ['--header "cookie: …"'] },
  { flag: "--cookie", tools: ["curl"], hasValue: true, is: ['--header "cookie: …"'] },
  { flag: "--user-agent", tools: ["k6"], hasValue: true, is: ['--header "user-agent: …"'] },
  { flag: "--host", tools: ["oha"], hasValue: true, is: ['--header "host: …"'] },
  { flag: "-host", tools: ["hey"], hasValue: true, is: ['--header "host: …"'] },
  { flag: "-D", tools: ["autocannon"], when: /^\d+$/, is: ["--max-requests-per-connection {}"] },
  { flag: "-D", tools: ["hey", "oha"], is: bodyFile },
  { flag: "--input", tools: ["autocannon"], is: bodyFile },
  { flag: "-body", tools: ["vegeta"], is: bodyFile },
  { flag: "--data", tools: ["curl"], is: ["--body {}"] },
  { flag: "--data-binary", tools: ["curl"], is: ["--body {}"] },
  { flag: "--request-body-size", tools: ["Nighthawk"], is: ["--body-size {}"] },
  { flag: "-targets", tools: ["vegeta"], is: ["--urls {}"] },
  { flag: "--urls-from-file", tools: ["oha"], says: "takes no value; write --urls FILE" },
  {
    flag: "-F",
    tools: ["oha", "autocannon", "curl"],
    hasValue: true,
    says: `${none}: ${inATest}, with multipart`,
  },
  { flag: "-s", tools: ["wrk", "wrk2"], when: /\.lua$/, hasValue: true, says: `${none}: ${inATest}` },
  { flag: "--script", tools: ["wrk", "wrk2"], hasValue: true, says: `${none}: ${inATest}` },
  { flag: "--rand-regex-url", tools: ["oha"], says: `${none}: ${inATest}, with random` },
  {
    flag: "--pipelining",
    tools: ["autocannon"],
    hasValue: true,
    says: `${none}: ${inATest}, with transport: "undici"`,
  },
  {
    flag: "-redirects",
    tools: ["vegeta"],
    hasValue: true,
    says: "is not needed: redirects are not followed",
  },
  { flag: "-disable-redirects", tools: ["hey"], says: "is not needed: redirects are not followed" },
  {
    flag: "-disable-compression",
    tools: ["hey"],
    says: "is not needed: requests do not ask for compression",
  },
  {
    flag: "--disable-compression",
    tools: ["oha"],
    says: "is not needed: requests do not ask for compression",
  },

  // Connections
  { flag: "-s", tools: ["ab"], when: /^\d+$/, is: ["--timeout {}s"] },
  { flag: "-timeout", tools: ["vegeta"], is: ["--timeout {}"] },
  { flag: "-keepalive", tools: ["vegeta"], when: /^false$/, is: ["--no-keep-alive"] },
  { flag: "-keepalive", tools: ["vegeta"], says: keepsAlive },
  { flag: "-disable-keepalive", tools: ["hey"], is: ["--no-keep-alive"] },
  { flag: "--disable-keepalive", tools: ["oha"], is: ["--no-keep-alive"] },
  { flag: "--no-connection-reuse", tools: ["k6"], is: ["--no-keep-alive"] },
  { flag: "--reconnectRate", tools: ["autocannon"], is: ["--max-requests-per-connection {}"] },
  { flag: "-h2", tools: ["hey"], is: ["--protocol http2"] },
  { flag: "--h2", tools: ["Nighthawk"], is: ["--protocol http2"] },
  { flag: "--http2", tools: ["oha", "curl"], is: ["--protocol http2"] },
  { flag: "-http2", tools: ["vegeta"], is: ["--protocol http2"] },
  { flag: "-h2c", tools: ["vegeta"], is: ["--protocol h2c"] },
  { flag: "-insecure", tools: ["vegeta"], is: ["--insecure"] },
  { flag: "--insecure-skip-tls-verify", tools: ["k6"], is: ["--insecure"] },
  { flag: "--cacert", tools: ["oha", "curl"], is: ["--ca {}"] },
  { flag: "-root-certs", tools: ["vegeta"], is: ["--ca {}"] },
  { flag: "-P", tools: ["ab"], hasValue: true, is: ["--proxy"], says: "with user and password in its URL" },
  { flag: "--connect-to", tools: ["oha", "curl"], hasValue: true, is: ["--resolve HOST:PORT=ADDRESS:PORT"] },
  { flag: "-connect-to", tools: ["vegeta"], hasValue: true, is: ["--resolve HOST:PORT=ADDRESS:PORT"] },
  { flag: "--socketPath", tools: ["autocannon"], is: ["--unix-socket {}"] },
  { flag: "-S", tools: ["autocannon"], is: ["--unix-socket {}"] },
  { flag: "-unix-socket", tools: ["vegeta"], is: ["--unix-socket {}"] },
  { flag: "--prefetch-connections", tools: ["Nighthawk"], is: ["--warmup 5s"] },

  // How it ends, and what it reports
  { flag: "-r", tools: ["autocannon"], when: /^\d+$/, hasValue: true, is: ["--rate"], says: onlyTotals },
  { flag: "-r", tools: ["ab"], says: carriesOn },
  { flag: "--no-default-failure-predicates", tools: ["Nighthawk"], says: carriesOn },
  {
    flag: "--failure-predicate",
    tools: ["Nighthawk"],
    hasValue: true,
    is: ['--threshold "http_req_failed: rate<1%"'],
  },
  {
    flag: "--termination-predicate",
    tools: ["Nighthawk"],
    hasValue: true,
    is: ['--threshold "http_req_failed: rate<1%"'],
  },
  {
    flag: "--bailout",
    tools: ["autocannon"],
    hasValue: true,
    is: ['--threshold "http_req_failed: rate<1%"'],
  },
  { flag: "-L", tools: ["wrk", "wrk2"], is: ["--latency"] },
  { flag: "-l", tools: ["autocannon"], is: ["--latency"], says: `; ab's ${anyLength}` },
  {
    flag: "-U",
    tools: ["wrk2"],
    says: "is not needed: both http_req_duration and http_req_response_time are shown",
  },
  {
    flag: "--u_latency",
    tools: ["wrk2"],
    says: "is not needed: both http_req_duration and http_req_response_time are shown",
  },
  { flag: "-e", tools: ["ab"], when: /\.\w+$/, is: ["--out hgrm={}"] },
  {
    flag: "-g",
    tools: ["ab"],
    hasValue: true,
    says: `${none}: results have histograms, not single requests`,
  },
  { flag: "-o", tools: ["hey"], when: /^csv$/, hasValue: true, is: ["--out csv"] },
  { flag: "-o", tools: ["oha", "artillery quick"], is: ["--out json={}"] },
  { flag: "-output", tools: ["vegeta"], is: ["--out json={}"] },
  { flag: "--output-format", tools: ["Nighthawk", "oha"], hasValue: true, is: ["--out json"] },
  { flag: "--json", tools: ["autocannon"], is: ["--out json"] },
  { flag: "-j", tools: ["autocannon"], is: ["--out json"] },
  { flag: "--summary-export", tools: ["k6"], is: ["--out json={}"] },
  { flag: "--no-tui", tools: ["oha"], is: ["--quiet"] },
  { flag: "--no-progress", tools: ["autocannon"], is: ["--quiet"] },
];
