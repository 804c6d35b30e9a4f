// The frame of every page the sandbox shows: self-contained, readable, nothing loaded from elsewhere.
import { html, raw } from 'hono/html';
import { STYLE } from './style.js';

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
