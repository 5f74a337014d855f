/** The folder, ports and directives of one nginx. */
export interface NginxSite {
  readonly folder: string;
  /** HTTP/1.1 without TLS. */
  readonly plainPort: number;
  /** HTTP/2 without TLS. */
  readonly h2cPort: number;
  /** Only HTTP/1.1 over TLS; unused without a certificate. */
  readonly tlsPort: number;
  /** HTTP/2 or HTTP/1.1, as TLS negotiates; unused without a certificate. */
  readonly h2Port: number;
  readonly hasCertificate: boolean;
  /** Directives of the whole server, such as `keepalive_requests 50;`. */
  readonly directives: string;
}

/** One JSON object a line, which `access-log.ts` reads. */
const logFormat = `log_format facts escape=json '{"method":"$request_method","path":"$uri","query":"$args",'
    '"status":"$status","protocol":"$server_protocol","connection":"$connection",'
    '"requestOfConnection":"$connection_requests","requestBytes":"$request_length","bytesSent":"$bytes_sent",'
    '"resumed":"$ssl_session_reused","cookie":"$http_cookie"}';`;

/** The locations that every test can request. `/static/` is the folder's own `static`. */
const locations = `
    location = / { return 200 "hello\\n"; }
    location = /none { return 204; }
    location = /cookie { add_header Set-Cookie "visitor=v$connection; Path=/"; return 200 "set\\n"; }
    location = /upload { client_max_body_size 1k; proxy_pass http://127.0.0.1:1; }
    location /kept/ { root $folder; dav_methods PUT; create_full_put_path on; client_max_body_size 0; }
    location /static/ { root $folder; }
    location /zipped/ { alias $folder/static/; gzip on; gzip_min_length 1; gzip_types text/plain; }
    location /fresh/ { alias $folder/static/; add_header Cache-Control "no-cache"; }`;

/** Returns the configuration of an nginx that writes only into its own folder. */
export function nginxConfig(site: NginxSite): string {
  const { folder, plainPort, h2cPort, tlsPort, h2Port } = site;
  const secure = `
    listen 127.0.0.1:${tlsPort} ssl;
    listen 127.0.0.1:${h2Port} ssl http2;
    ssl_certificate ${folder}/cert.pem;
    ssl_certificate_key ${folder}/key.pem;
    ssl_session_cache shared:sessions:1m;`;
  const temporaryPaths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return `
daemon off;
worker_processes 1;
worker_rlimit_nofile 20000;
${process.getuid?.() === 0 ? "user root;" : ""}
pid ${folder}/nginx.pid;
error_log ${folder}/error.log notice;
events { worker_connections 19000; }
http {
  ${logFormat}
  access_log ${folder}/access.log facts;
  ${temporaryPaths.map((name) => `${name}_temp_path ${folder}/${name};`).join(" ")}
  types { text/plain txt; application/octet-stream bin; }
  server {
    listen 127.0.0.1:${plainPort} backlog=4096;
    listen 127.0.0.1:${h2cPort} http2;
    ${site.hasCertificate ? secure : ""}
    ${site.directives.replaceAll("$folder", folder)}
    ${locations.replaceAll("$folder", folder)}
  }
}
`;
}
