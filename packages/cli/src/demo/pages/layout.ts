import { escapeHtml } from "@bearhug/text/printable";

/** Renders the frame of every page. `main` is HTML: the caller must escape text from outside. */
export function layout(title: string, main: string, scriptToken?: string): string {
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${escapeHtml(title)} · bearhug demo</title>
${scriptToken === undefined ? "" : `  <meta name="csrf-token" content="${escapeHtml(scriptToken)}">\n`}  <link rel="icon" href="/logo.svg">
  <link rel="stylesheet" href="/style.css">
  <script src="/app.js" defer></script>
</head>
<body>
  <header>
    <a class="brand" href="/"><img src="/logo.svg" alt="" width="40" height="40"> bearhug demo</a>
    <nav><a href="/products">Products</a> <a href="/search?q=linden">Search</a> <a href="/signup">Sign up</a> <a href="/account">Account</a></nav>
  </header>
  <main>
${main}
  </main>
  <footer>A site to practise load tests on. Nothing here is for sale. <span id="timing"></span></footer>
</body>
</html>
`;
}
