// The events of the demo, as they arrive at an endpoint of a backend: each is verified by the reference library of Standard Webhooks.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import Table from 'cli-table3';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { LOOPBACK, freePort } from '../../temporal-server/free-port.js';
import { callJson } from '../api/http.js';
import { eventually } from '../api/waiting.js';
import type { Report } from './report.js';
import type { Stack } from '../stack/bring-up.js';

const Event = z.object({
  id: z.string(),
  type: z.string(),
  created_at: z.string(),
  resource: z.object({ type: z.string(), uid: z.string() }),
  reason: z.object({ source: z.string(), what: z.string().nullable() }),
});
type Event = z.output<typeof Event>;
const Page = z.object({
  data: z.array(Event),
  up_to_date: z.boolean(),
  links: z.object({ next: z.string() }),
});
const Created = z.object({ data: z.object({ secret: z.string() }) });

const SOON_MS = 30_000;
/** Of a resource with more events only the first are printed: one agreement changes a hundred times. */
const MOST_OF_RESOURCE = 12;
const A_PATH = '/webhooks';

export interface Endpoint {
  /** Adds the events to the report of a story, once everything that happened has arrived. */
  reportTo: (report: Report) => Promise<Report>;
  close: () => void;
}

/** Opens an endpoint for all events from now on. */
export async function openEndpoint({ apiUrl, apiKey }: Stack): Promise<Endpoint> {
  const received = new Map<string, Event>();
  const problems: string[] = [];
  const headers = { authorization: `Bearer ${apiKey}`, 'idempotency-key': 'demo-endpoint' };
  let secret = '';
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      try {
        const event = Event.parse(
          new Webhook(secret).verify(body, request.headers as Record<string, string>),
        );
        received.set(event.id, event);
        response.writeHead(204).end();
      } catch (error) {
        problems.push(
          `a webhook: expected one of ours, found ${error instanceof Error ? error.message : String(error)}`,
        );
        response.writeHead(400).end();
      }
    });
  });
  const port = await freePort();
  server.listen(port, LOOPBACK);
  await once(server, 'listening');
  const body = { url: `http://${LOOPBACK}:${port}${A_PATH}`, description: 'the demo' };
  ({ secret } = (
    await callJson(`${apiUrl}/v1/webhook-endpoints`, Created, { method: 'POST', headers, body })
  ).data);
  return {
    reportTo: async (report) => {
      const recorded = await allEvents(apiUrl, headers);
      const isMissing = ({ id, type }: Event): boolean =>
        !received.has(id) && !type.startsWith('webhook_endpoint.');
      const missing = await eventually(
        () => Promise.resolve(recorded.filter(isMissing)),
        ({ length }) => length === 0 || problems.length > 0,
        { what: 'every event to arrive', limitMs: SOON_MS },
      );
      const lost = missing.map(
        ({ type, resource }) => `event ${type} of ${resource.uid}: expected a webhook, found none`,
      );
      return withEvents(report, [...received.values()], [...problems, ...lost]);
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function allEvents(apiUrl: string, headers: Readonly<Record<string, string>>): Promise<Event[]> {
  const events: Event[] = [];
  for (let path = '/v1/events?per_page=200'; ;) {
    const page = await callJson(`${apiUrl}${path}`, Page, { headers });
    events.push(...page.data);
    if (page.up_to_date) return events;
    path = page.links.next;
  }
}

function withEvents(
  { json, text: before }: Report,
  events: readonly Event[],
  problems: readonly string[],
): Report {
  const differences = [...json.differences, ...problems];
  return {
    json: {
      ...json,
      ok: json.ok && problems.length === 0,
      differences,
      events: events.map(({ type, resource }) => ({ type, resource: resource.uid })),
    },
    text: [before, '', eventsInText(events), ...problems].join('\n'),
  };
}

function eventsInText(events: readonly Event[]): string {
  const table = new Table({
    head: ['at', 'event', 'resource', 'because of'],
    style: { head: [], border: [] },
  });
  const counts = new Map<string, number>();
  const ordered = events.toSorted((one, other) => (one.created_at < other.created_at ? -1 : 1));
  for (const { created_at: at, type, resource, reason } of ordered) {
    const count = (counts.get(resource.uid) ?? 0) + 1;
    counts.set(resource.uid, count);
    if (count > MOST_OF_RESOURCE) continue;
    const because = [reason.source, reason.what].filter((part) => part !== null).join(' ');
    table.push([at.slice(11, 23), type, resource.uid, because]);
  }
  const more = [...counts].flatMap(([uid, count]) =>
    count > MOST_OF_RESOURCE ? [`… and ${count - MOST_OF_RESOURCE} more of ${uid}`] : [],
  );
  const head = `${events.length} events arrived at the endpoint, each with a valid signature:`;
  return [head, table.toString(), ...more].join('\n');
}
