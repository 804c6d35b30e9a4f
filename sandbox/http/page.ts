// The frame of all pages. They are self-contained and load no external resources.
import { html, raw } from 'hono/html';

const STYLE = `
  :root {
    color-scheme: light dark;
    font: 16px/1.5 system-ui, sans-serif;
    --line: light-dark(#d5d9e2, #3a4150);
    --soft: light-dark(#f4f6fa, #1b202b);
    --quiet: light-dark(#566074, #a3adbf);
    --accent: light-dark(#1d4ed8, #93b4ff);
    --good: light-dark(#166534, #86efac);
    --bad: light-dark(#b91c1c, #fca5a5);
    --wait: light-dark(#92400e, #fcd34d);
    --ground: light-dark(#ffffff, #12161f);
    --ink: light-dark(#161b26, #e6e9f0);
  }
  * { box-sizing: border-box; }
  body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 76rem; background: var(--ground); color: var(--ink); }
  main.narrow { max-width: 32rem; margin: 0 auto; }
  h1 { margin: 0 0 .25rem; font-size: 1.6rem; line-height: 1.2; }
  h2 { margin: 2.25rem 0 .5rem; font-size: 1.15rem; scroll-margin-top: 1rem; }
  h2 small, .quiet { color: var(--quiet); font-weight: 400; font-size: .875rem; }
  p { margin: .4rem 0; }
  code { font: .8125rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
  .note { border-left: 4px solid #b45309; padding: .25rem .75rem; }
  nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: 0; margin: .75rem 0; list-style: none; }
  a { color: var(--accent); }
  .bar { display: flex; flex-wrap: wrap; gap: .4rem; align-items: end; margin: .6rem 0; }
  .scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: .5rem; }
  table { border-collapse: collapse; width: 100%; font-size: .9rem; }
  th, td { text-align: left; padding: .45rem .7rem; border-bottom: 1px solid var(--line); vertical-align: top; }
  th { background: var(--soft); font-weight: 600; white-space: nowrap; }
  tbody tr:last-child td { border-bottom: 0; }
  td:has(button) { min-width: 13rem; }
  td .quiet { display: block; }
  .state { font-weight: 600; white-space: nowrap; }
  .good { color: var(--good); } .bad { color: var(--bad); } .wait { color: var(--wait); }
  button, input, select { font: inherit; font-size: .875rem; color: inherit; }
  button { padding: .25rem .65rem; margin: .1rem; border: 1px solid var(--line); border-radius: .4rem;
    background: var(--soft); cursor: pointer; min-height: 2rem; }
  button:hover { border-color: var(--accent); }
  button:disabled { opacity: .5; cursor: wait; }
  button.primary { background: #1d4ed8; color: #fff; border-color: #1d4ed8; }
  input, select { padding: .3rem .5rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--ground);
    min-height: 2rem; max-width: 100%; }
  label { display: grid; gap: .15rem; font-size: .8125rem; color: var(--quiet); min-width: 0; }
  label input, label select { color: var(--ink); }
  :focus-visible { outline: 3px solid #f59e0b; outline-offset: 2px; }
  form.card { border: 1px solid var(--line); border-radius: .5rem; padding: .75rem; margin: .6rem 0; }
  .fields input, .fields select { width: 100%; min-width: 0; }
  .fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: .6rem; align-items: end; }
  [role=alert]:not(:empty) { border: 1px solid var(--bad); color: var(--bad); padding: .4rem .75rem; border-radius: .4rem; }
  fieldset { border: 0; margin: .6rem 0 0; padding: 0; min-width: 0; }
  h3 { margin: 0 0 .5rem; font-size: 1rem; scroll-margin-top: 1rem; }
  .voice { position: sticky; top: 0; z-index: 1; background: var(--ground); }
  .voice p { margin: 0; }
  @media (max-width: 48rem) {
    .scroll { border: 0; }
    table, tbody, tr, td { display: block; }
    thead { display: none; }
    tr { border: 1px solid var(--line); border-radius: .5rem; margin-bottom: .6rem; padding: .3rem 0; }
    td, tbody tr:last-child td { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); gap: .5rem;
      border: 0; padding: .2rem .7rem; }
    td::before { content: attr(data-heading); color: var(--quiet); font-size: .8125rem; }
    td code { white-space: normal; }
  }
  summary { cursor: pointer; color: var(--quiet); font-size: .8125rem; }
`;

export type Content = ReturnType<typeof html>;

export function page(title: string, content: Content): Content {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <link rel="icon" href="data:," />
        <title>${title}</title>
        <style>
          ${raw(STYLE)}
        </style>
      </head>
      <body>
        ${content}
      </body>
    </html>`;
}
