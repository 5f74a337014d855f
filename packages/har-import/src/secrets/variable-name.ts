import { splitWords } from "@bearhug/sdk/internal";
import { looksSecret } from "./secret-looks.ts";

const maxLength = 40;

/** Names that a shell, a run-time or a tool reads, or that hold a developer's own credentials. */
const taken = new Set(
  [
    "PATH HOME USER SHELL PWD OLDPWD IFS ENV CI TERM LANG LANGUAGE TZ TMPDIR TEMP TMP DISPLAY EDITOR VISUAL PAGER",
    "LOGNAME USERNAME HOSTNAME HOST MAIL MAILPATH DEBUG UID EUID PPID RANDOM SECONDS LINENO HISTFILE OPTIND OPTARG",
    "PROMPT PS1 PS2 PS4 CDPATH SHELLOPTS PATHEXT COMSPEC SYSTEMROOT WINDIR APPDATA USERPROFILE OS",
    "HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY NO_COLOR FORCE_COLOR UV_THREADPOOL_SIZE",
  ].flatMap((names) => names.split(" ")),
);
const takenPrefix =
  /^(NODE|LD_|DYLD_|BASH|BEARHUG|GIT_|NPM_|PNPM_|YARN_|GITHUB_|GITLAB_|ACTIONS_|RUNNER_|CI_|AWS_|AZURE_|GOOGLE_|DOCKER_|SSH_|SSL_|OPENSSL_|LC_|XDG_|ZDOT|TS_|VITEST|PYTHON|RUBY|PERL|JAVA_)/;

/** A name for an environment variable, after what a secret is called: `user[password]` → USER_PASSWORD. */
export function nameVariable(called: string): string {
  const words = looksSecret(called) ? [] : splitWords(called).filter((word) => word !== "x");
  const name = words
    .join("_")
    .toUpperCase()
    .slice(0, maxLength - 5)
    .replace(/_$/, "");
  if (name === "") return "SECRET";
  return taken.has(name) || takenPrefix.test(name) ? `SITE_${name}` : name;
}
