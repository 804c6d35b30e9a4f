// The sections for clients, float accounts and webhook deliveries.
import { html } from 'hono/html';
import { serviceMoves } from '../clients/services.js';
import { refsOf } from '../deliveries/formatter.js';
import type { Content } from '../http/page.js';
import { ServiceName, type Client } from '../store/client.schema.js';
import type { FloatAccount } from '../store/float-account.schema.js';
import type { Delivery } from '../store/webhook.schema.js';
import { publicState } from '../webhooks/delivery.js';
import { actButton, dollars, section, stateOf, type Cell } from './parts.js';

export function clientSection(clients: readonly Client[]): Content {
  return section({
    id: 'clients',
    title: 'Clients',
    headings: ['Client', 'ABN, ACN', 'Parent', 'Services', 'As the provider'],
    items: clients,
    row: clientRow,
    empty: 'No clients.',
  });
}

function clientRow(client: Client): Cell[] {
  const numbers = [client.australian_business_number, client.australian_company_number];
  const services = ServiceName.options.filter((service) => client.services[service] !== null);
  return [
    html`${client.legal_name}<span class="quiet"><code>${client.id}</code></span>`,
    numbers.filter((number) => number !== null).join(', '),
    html`<code>${client.parent_client_id ?? '–'}</code>`,
    services.map((service) => html`<div>${service} ${stateOf(client.services[service] ?? '')}</div>`),
    serviceButtons(client),
  ];
}

function serviceButtons(client: Client): Cell {
  const moves = serviceMoves(client);
  if (moves.length === 0) return '';
  const about = client.legal_name;
  const path = `/clients/${client.id}/services`;
  const buttons = moves.map((body) =>
    actButton({
      label: `${body.service}: ${body.status.replaceAll('_', ' ')}`,
      about,
      method: 'PUT',
      path,
      body,
    }),
  );
  return html`<details>
    <summary>Change a service</summary>
    ${buttons}
  </details>`;
}

export function floatSection(accounts: readonly FloatAccount[]): Content {
  return section({
    id: 'float-accounts',
    title: 'Float accounts',
    headings: ['Account', 'Number', 'Balance', 'Status'],
    items: accounts,
    row: ({ id, title, branch_code, account_number, available_balance, status }) => [
      html`${title}<span class="quiet"><code>${id}</code></span>`,
      html`<code>${branch_code}-${account_number}</code>`,
      dollars(available_balance),
      stateOf(status),
    ],
    empty: 'No float accounts.',
  });
}

export function deliverySection(deliveries: readonly Delivery[]): Content {
  return section({
    id: 'deliveries',
    title: 'Webhook deliveries',
    headings: ['Event', 'Resource', 'Published', 'State', 'Response', 'Attempts', 'Fault'],
    items: deliveries,
    row: deliveryRow,
    empty: 'No deliveries yet.',
  });
}

function deliveryRow(delivery: Delivery): Cell[] {
  const { event_type, joined, created_at, response_status_code, attempts, fault } = delivery;
  return [
    [event_type, ...joined.map((event) => event.event_type)].join(', '),
    [...new Set(refsOf(delivery))].map((ref) => html`<code>${ref}</code> `),
    html`<time datetime="${created_at}">${created_at.slice(0, 19).replace('T', ' ')}</time>`,
    stateOf(publicState(delivery)),
    String(response_status_code ?? 'none'),
    String(attempts),
    fault ?? '',
  ];
}
