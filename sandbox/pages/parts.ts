// What the sections of the front page are made of: a heading with its count, a table that says what it leaves out, and
// buttons that call a control route.
import { html } from 'hono/html';
import type { Content } from '../http/page.js';

/** No page shows more rows of a kind: the newest, and how many there are in all. */
const MOST_ROWS = 100;

export type Cell = Content | string | Content[];

export interface Listing<Item> {
  id: string;
  title: string;
  headings: readonly string[];
  /** Newest first. */
  items: readonly Item[];
  /** A cell for each heading; one that is empty shows a dash. */
  row: (item: Item) => Cell[];
  /** What is said where there is nothing. */
  empty: string;
}

export function section<Item>(listing: Listing<Item>): Content {
  const { id, title, items } = listing;
  const shown = items.slice(0, MOST_ROWS);
  const count = shown.length < items.length ? `showing ${shown.length} of ${items.length}` : items.length;
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}" tabindex="-1">${title} <small>${count}</small></h2>
    ${shown.length === 0 ? html`<p class="quiet">${listing.empty}</p>` : table(listing, shown)}
  </section>`;
}

/**
 * Reached by the keyboard, so that it can be scrolled by it. On a narrow screen each row is a card, which takes the
 * meaning out of a table: so every part says by its role what it is.
 */
function table<Item>({ title, headings, row }: Listing<Item>, items: readonly Item[]): Content {
  return html`<div class="scroll" role="region" aria-label="Table: ${title}" tabindex="0">
    <table role="table">
      <thead role="rowgroup">
        <tr role="row">
          ${headings.map((heading) => html`<th scope="col" role="columnheader">${heading}</th>`)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${items.map(
          (item) =>
            html`<tr role="row">
              ${cells(headings, row(item))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function cells(headings: readonly string[], row: readonly Cell[]): Content[] {
  return row.map((cell, index) => {
    const content = isEmpty(cell) ? '–' : cell;
    return html`<td role="cell" data-heading="${headings[index] ?? ''}"><div>${content}</div></td>`;
  });
}

const isEmpty = (cell: Cell): boolean => cell === '' || (Array.isArray(cell) && cell.length === 0);

export interface Act {
  label: string;
  /** What it is done to, for those who hear the button and do not see the row. */
  about: string;
  method?: 'POST' | 'PUT' | 'DELETE';
  /** After `/_control`. */
  path: string;
  body?: object;
}

export function actButton({ label, about, method = 'POST', path, body = {} }: Act): Content {
  return html`<button
    type="button"
    aria-label="${label}: ${about}"
    data-method="${method}"
    data-path="/_control${path}"
    data-body="${JSON.stringify(body)}"
  >
    ${label}
  </button>`;
}

const TONES: Record<string, string> = {
  ...tone('good', ['active', 'settled', 'processed', 'completed', 'applied']),
  ...tone('bad', ['failed', 'declined', 'cancelled', 'expired', 'off_boarded', 'removed']),
  ...tone('wait', [
    'pending',
    'created',
    'submitting',
    'processing',
    'retrying',
    'suspended',
    'under_investigation',
  ]),
};

function tone(name: string, states: readonly string[]): Record<string, string> {
  return Object.fromEntries(states.map((state) => [state, name]));
}

/** The provider's own name for it: the colour only repeats it. */
export function stateOf(state: string, because = ''): Content {
  return html`<span class="state ${TONES[state] ?? ''}">${state}</span>
    ${because === '' ? '' : html`<span class="quiet">${because}</span>`}`;
}

/** `$42.00` */
export function dollars(cents: number): string {
  const sign = cents < 0 ? '-' : '';
  return `${sign}$${(Math.abs(cents) / 100).toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ',')}`;
}

export const labelOf = (name: string): string =>
  `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`.replaceAll('_', ' ');
