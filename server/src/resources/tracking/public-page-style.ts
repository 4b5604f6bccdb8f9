/** The public page's style sheet: one column, light or dark as the reader's device is. */
export const css = `
:root { color-scheme: light dark; --ground: #f5f6f4; --paper: #fff; --ink: #1d2420; --quiet: #5d6862;
  --line: #d9dedb; --good: #14703f; --trouble: #9a4b00; --accent: #1f5f8b; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #141816; --paper: #1d2320; --ink: #edf1ee; --quiet: #a3afa8; --line: #37403b;
    --good: #6fd39b; --trouble: #f0ad5e; --accent: #86c1ea; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 38rem; margin: 0 auto; padding: 2rem 1.25rem 3rem; }
@media (min-width: 40rem) {
  main { margin: 3rem auto; padding: 2.5rem; background: var(--paper); border: 1px solid var(--line); border-radius: .75rem; } }
.code { display: flex; flex-wrap: wrap; gap: .25rem .75rem; justify-content: space-between; margin: 0; color: var(--quiet); }
code { font: .95rem/1.6 ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
h1 { margin: 1.25rem 0 .25rem; font-size: 2rem; line-height: 1.2; letter-spacing: -.01em; }
h1.good { color: var(--good); } h1.trouble { color: var(--trouble); }
.lead { margin: 0; color: var(--quiet); }
h2 { margin: 2.25rem 0 1rem; font-size: 1rem; }
ol { list-style: none; margin: 0; padding: 0; }
.progress { display: grid; grid-template-columns: repeat(4, 1fr); gap: .375rem; margin-top: 1.75rem; }
.progress li { padding-top: .5rem; border-top: .25rem solid var(--line); color: var(--quiet); font-size: .8125rem; }
.progress .done { border-color: var(--good); color: var(--ink); }
.progress [aria-current] { font-weight: 600; }
.history li { position: relative; padding: 0 0 1.375rem 1.625rem; border-left: 2px solid var(--line); margin-left: .3125rem; }
.history li:last-child { border-color: transparent; padding-bottom: 0; }
.history li::before { content: ""; position: absolute; left: -.4375rem; top: .375rem; width: .75rem; height: .75rem;
  border-radius: 50%; background: var(--quiet); }
.history li:first-child::before { background: var(--accent); box-shadow: 0 0 0 .25rem color-mix(in srgb, var(--accent) 25%, transparent); }
.history .good:first-child::before { background: var(--good); box-shadow: 0 0 0 .25rem color-mix(in srgb, var(--good) 25%, transparent); }
.history .trouble::before { background: var(--trouble); }
.history .trouble:first-child::before { background: var(--trouble);
  box-shadow: 0 0 0 .25rem color-mix(in srgb, var(--trouble) 25%, transparent); }
.history strong, .place, .history time { display: block; }
.history time, .empty { color: var(--quiet); font-size: .875rem; }
.more { margin: 2rem 0 0; padding-top: 1.25rem; border-top: 1px solid var(--line); }
a { color: var(--accent); } a:focus-visible { outline: 2px solid; outline-offset: 3px; border-radius: 2px; }
`;
