// The active faults, and the form that adds one.
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
    headings: ['Target', 'Type', 'Parameters', 'Share of calls', 'Times left', 'Resource', 'Remove'],
    items: faults,
    row: faultRow,
    empty: 'No active faults.',
  });
}

function faultRow(fault: Fault): Cell[] {
  const { id, on, do: action, share, times, resource_uid } = fault;
  const about = `${action} on ${on}`;
  return [
    html`<code>${on === '*' ? 'all calls' : on}</code>`,
    html`<code>${action}</code>`,
    describeParameters(fault),
    `${Number((share * 100).toFixed(2))} %`,
    String(times ?? 'unlimited'),
    html`<code>${resource_uid ?? 'all'}</code>`,
    actButton({ label: 'Remove', about, method: 'DELETE', path: `/faults/${id}` }),
  ];
}

/** For example `delay ms 5000`. */
function describeParameters(fault: Fault): string {
  const { data = {} } = z.object(FaultParameters.shape).safeParse(fault);
  const parts = Object.entries(data).map(
    ([name, value]) => `${name.replaceAll('_', ' ')} ${value ?? 'none'}`,
  );
  return parts.join(', ');
}

/** The groups of actions for each target. The browser hides the groups that do not apply. */
const GROUPS = [
  { label: 'On answers', actions: ON_ANSWER, fits: 'call token' },
  { label: 'On reads', actions: ON_READ, fits: 'call' },
  { label: 'On token requests', actions: ON_TOKEN, fits: 'token' },
  { label: 'On webhooks', actions: ON_WEBHOOK, fits: 'webhook' },
] as const;

const option = (value: string, label = value): Content => html`<option value="${value}">${label}</option>`;

/** The browser adds the parameters of the selected action. */
export function faultForm(): Content {
  return html`<form
    id="fault-form"
    class="card"
    aria-labelledby="new-fault"
    data-defaults="${JSON.stringify(DEFAULTS)}"
  >
    <h3 id="new-fault">Add a fault</h3>
    <div class="fields">
      ${placeField()} ${actionField()}
      <label>
        Share of calls, in %
        <input name="share" type="number" min="0.01" max="100" step="any" value="100" required />
      </label>
      <label> Times <input name="times" type="number" min="1" step="1" placeholder="unlimited" /> </label>
      <label>Resource uid <input name="resource_uid" placeholder="all" autocomplete="off" /></label>
    </div>
    <fieldset id="parameters" class="fields"></fieldset>
    <p><button class="primary" type="submit">Add fault</button></p>
  </form>`;
}

const placeField = (): Content =>
  html`<label>
    Target
    <select name="on">
      ${option('*', 'all API calls')} ${option('webhook', 'webhooks')} ${option('token', 'token requests')}
      ${[...API_CALLS].map((name) => option(name))}
    </select>
  </label>`;

const actionField = (): Content =>
  html`<label>
    Fault type
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
      Seed for random faults
      <input name="seed" value="${seed}" required autocomplete="off" />
    </label>
    <button type="submit">Set seed</button>
  </form>`;
}
