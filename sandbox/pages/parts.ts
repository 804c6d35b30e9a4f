// The building blocks of the front page: sections with a count, tables with a row limit, and buttons that call the control API.
import { html } from 'hono/html';
import type { Content } from '../http/page.js';

/** Tables show only the newest rows, and the total count. */
const MOST_ROWS = 100;

export type Cell = Content | string | Content[];

export interface Listing<Item> {
  id: string;
  title: string;
  headings: readonly string[];
  /** Newest first. */
  items: readonly Item[];
  /** One cell for each heading. An empty cell shows a dash. */
  row: (item: Item) => Cell[];
  /** The text if there are no items. */
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
 * Focusable, so that the keyboard can scroll it. On a narrow screen CSS turns rows into cards, which removes the table semantics.
 * Explicit roles restore them.
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
  /** The object of the action, for screen reader users, who may not perceive the row. */
  about: string;
  method?: 'POST' | 'PUT' | 'DELETE';
  /** The path after `/_control`. */
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

/** Shows the provider's name of the state. The colour adds no information. */
export function stateOf(state: string, because = ''): Content {
  return html`<span class="state ${TONES[state] ?? ''}">${state}</span>
    ${because === '' ? '' : html`<span class="quiet">${because}</span>`}`;
}

/** For example `$42.00`. */
export function dollars(cents: number): string {
  const sign = cents < 0 ? '-' : '';
  return `${sign}$${(Math.abs(cents) / 100).toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ',')}`;
}

export const labelOf = (name: string): string =>
  `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`.replaceAll('_', ' ');
