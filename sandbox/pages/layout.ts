// The frame of every page the sandbox shows: self-contained, readable, nothing loaded from elsewhere.
import { html, raw } from 'hono/html';

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { margin: 0 auto; padding: 2rem 1rem; max-width: 60rem; }
  main.narrow { max-width: 32rem; margin: 0 auto; }
  .note { border-left: 4px solid #b45309; padding: .25rem .75rem; }
  .scroll { overflow-x: auto; }
  table { border-collapse: collapse; width: 100%; }
  th, td { text-align: left; padding: .4rem .6rem; border-bottom: 1px solid #8886; vertical-align: top; }
  td.number { text-align: right; font-variant-numeric: tabular-nums; }
  button { font: inherit; padding: .35rem .8rem; margin: .1rem; border: 1px solid #8889; border-radius: .4rem; cursor: pointer; }
  button.primary { background: #1d4ed8; color: #fff; border-color: #1d4ed8; }
  button:focus-visible { outline: 3px solid #f59e0b; outline-offset: 2px; }
`;

type Content = ReturnType<typeof html>;

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
