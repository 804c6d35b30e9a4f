// Faults on the front page: those that are switched on, and the form that switches on another.
import { html } from 'hono/html';
import { z } from 'zod';
import {
  DEFAULTS,
  FaultParameters,
  ON_ANSWER,
  ON_READ,
  ON_TOKEN,
  ON_WEBHOOK,
} from '../faults/actions.schema.js';
import { API_CALLS, type Fault } from '../faults/rule.schema.js';
import type { Content } from '../http/page.js';
import { actButton, section, type Cell } from './parts.js';

export function faultSection(faults: readonly Fault[]): Content {
  return section({
    id: 'faults',
    title: 'Faults',
    headings: ['Where', 'What', 'How', 'Of the calls', 'Times left', 'About', 'Switch'],
    items: faults,
    row: faultRow,
    empty: 'Nothing goes wrong: no fault is switched on.',
  });
}

function faultRow(fault: Fault): Cell[] {
  const { id, on, do: action, share, times, resource_uid } = fault;
  const about = `${action} on ${on}`;
  return [
    html`<code>${on === '*' ? 'any call' : on}</code>`,
    html`<code>${action}</code>`,
    describeParameters(fault),
    `${Number((share * 100).toFixed(2))} %`,
    String(times ?? 'no end'),
    html`<code>${resource_uid ?? 'all'}</code>`,
    actButton({ label: 'Switch off', about, method: 'DELETE', path: `/faults/${id}` }),
  ];
}

/** `delay ms 5000` */
function describeParameters(fault: Fault): string {
  const { data = {} } = z.object(FaultParameters.shape).safeParse(fault);
  const parts = Object.entries(data).map(
    ([name, value]) => `${name.replaceAll('_', ' ')} ${value ?? 'none'}`,
  );
  return parts.join(', ');
}

/** Which groups of actions fit a place; the browser hides the others. */
const GROUPS = [
  { label: 'To the answer', actions: ON_ANSWER, fits: 'call token' },
  { label: 'To what a read sees', actions: ON_READ, fits: 'call' },
  { label: 'To a token request', actions: ON_TOKEN, fits: 'token' },
  { label: 'To webhooks', actions: ON_WEBHOOK, fits: 'webhook' },
] as const;

const option = (value: string, label = value): Content => html`<option value="${value}">${label}</option>`;

/** Its parameters are put in by the browser, as the chosen action knows them. */
export function faultForm(): Content {
  return html`<form
    id="fault-form"
    class="card"
    aria-labelledby="new-fault"
    data-defaults="${JSON.stringify(DEFAULTS)}"
  >
    <h3 id="new-fault">Switch on a fault</h3>
    <div class="fields">
      ${placeField()} ${actionField()}
      <label>
        Of the calls, in %
        <input name="share" type="number" min="0.01" max="100" step="any" value="100" required />
      </label>
      <label>
        Times <input name="times" type="number" min="1" step="1" placeholder="until switched off" />
      </label>
      <label>About the uid <input name="resource_uid" placeholder="all" autocomplete="off" /></label>
    </div>
    <fieldset id="parameters" class="fields"></fieldset>
    <p><button class="primary" type="submit">Switch on</button></p>
  </form>`;
}

const placeField = (): Content =>
  html`<label>
    Where
    <select name="on">
      ${option('*', 'any call of the API')} ${option('webhook', 'webhooks')}
      ${option('token', 'token requests')} ${[...API_CALLS].map((name) => option(name))}
    </select>
  </label>`;

const actionField = (): Content =>
  html`<label>
    What
    <select name="do">
      ${GROUPS.map(
        ({ label, actions, fits }) =>
          html`<optgroup label="${label}" data-fits="${fits}">
            ${[...actions].map((action) => option(action))}
          </optgroup>`,
      )}
    </select>
  </label>`;

export function seedForm(seed: string): Content {
  return html`<form id="seed-form" class="bar">
    <label>
      Seed: decides which calls a share meets
      <input name="seed" value="${seed}" required autocomplete="off" />
    </label>
    <button type="submit">Begin anew with it</button>
  </form>`;
}
