export const stylesheet = `:root {
  color-scheme: light dark;
  --ink: light-dark(#2b2118, #f3e9dc);
  --paper: light-dark(#fffaf2, #1c1714);
  --line: light-dark(#e8dcc8, #3d332b);
  --honey: light-dark(#b45f06, #f2a93b);
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 0 1.25rem; max-width: 60rem;
  font: 1rem/1.6 system-ui, sans-serif; color: var(--ink); background: var(--paper);
}
a { color: var(--honey); text-underline-offset: 0.2em; }
header { display: flex; flex-wrap: wrap; gap: 1rem; align-items: center; justify-content: space-between; padding: 1rem 0; }
header nav { display: flex; gap: 1.25rem; }
.brand { display: flex; gap: 0.6rem; align-items: center; font-weight: 700; text-decoration: none; color: inherit; }
.hero { display: block; width: 100%; height: auto; border-radius: 0.75rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 1.5rem 0 0.5rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 0.5rem; padding-bottom: 0.25rem; border-bottom: 1px solid var(--line); }
pre { padding: 0.75rem 1rem; overflow-x: auto; border: 1px solid var(--line); border-radius: 0.5rem; }
dl { display: grid; grid-template-columns: minmax(13rem, auto) 1fr; gap: 0.25rem 1.5rem; margin: 0; }
dt { font-family: ui-monospace, monospace; font-size: 0.9rem; }
dt b { display: inline-block; min-width: 2.75rem; font-size: 0.75rem; opacity: 0.6; }
dd { margin: 0; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: 1rem; padding: 0; list-style: none; }
.cards li { padding: 0.75rem; border: 1px solid var(--line); border-radius: 0.5rem; }
.cards img, .picture { display: block; margin-bottom: 0.5rem; border-radius: 0.5rem; }
.pager { display: flex; gap: 1rem; }
button, input, textarea { font: inherit; padding: 0.35rem 0.8rem; border: 1px solid var(--line); border-radius: 0.4rem; }
button { cursor: pointer; color: var(--paper); background: var(--honey); border-color: var(--honey); }
footer { margin: 3rem 0 1.5rem; font-size: 0.85rem; opacity: 0.7; }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: 0.5rem; } }
`;
