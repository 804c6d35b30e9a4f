// A caller loses no event, and a bound key gets no event of other connections.
import { createHash } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { secretOf } from '../../sealing/secret.js';
import { active, overHttp } from '../support/over-http.js';
import { KEY } from '../support/serve-api.js';
import { aPayment, type HttpStack } from '../support/http-stack.js';
import { useTemporal } from '../support/temporal.js';
import type { ApiKey } from '../../api/http/api-keys.js';
import type { Event } from '../../client/create.js';

const temporal = useTemporal();

interface Page {
  data: Event[];
  up_to_date: boolean;
  links: { next: string };
}

async function pageAt({ url }: HttpStack, path: string, key = KEY): Promise<Page> {
  const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } });
  expect(response.status).toBe(200);
  return (await response.json()) as Page;
}

/** All events from a page on, until one of this type. */
async function until(
  http: HttpStack,
  path: string,
  type: string,
): Promise<{ events: Event[]; next: string }> {
  const { data: events, links } = await pageAt(http, path);
  if (events.some((event) => event.type === type)) return { events, next: links.next };
  const rest = await until(http, links.next, type);
  return { events: [...events, ...rest.events], next: rest.next };
}
const typesOf = (events: readonly Event[]) => events.map(({ type }) => type);

interface Sent {
  cursor: string;
  type: string;
}

async function listen({ url }: HttpStack, query: string, lastEventId?: string) {
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const response = await fetch(`${url}/v1/events?${query}`, {
    signal: ending.signal,
    headers: {
      ...{ authorization: `Bearer ${KEY}`, accept: 'text/event-stream' },
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
  });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let text = '';
  const sent = (): Sent[] =>
    [...text.matchAll(/^id: (\S+)\nevent: (\S+)\ndata: .*\n\n/gm)].map(([, cursor = '', type = '']) => ({
      cursor,
      type,
    }));
  const untilSent = async (type: string): Promise<Sent[]> => {
    if (sent().some((one) => one.type === type)) return sent();
    const { done, value } = await reader.read();
    if (done) throw new Error(`the stream ended after ${text}`);
    text += Buffer.from(value).toString();
    return untilSent(type);
  };
  return { untilSent, stop: () => ending.abort() };
}

test('a caller reads the life of an agreement, waits for a payment, and continues a lost stream', async () => {
  await overHttp(temporal, async (http, connection) => {
    const stream = await listen(http, `connection=${connection}&type=agreement.*,payment.*`);
    const uid = await active(http, connection);
    const { events, next } = await until(
      http,
      `/v1/events?connection=${connection}&wait=20`,
      'agreement.active',
    );
    expect(typesOf(events).slice(0, 2)).toEqual(['connection.created', 'connection.healthy']);
    expect(events.at(-1)).toMatchObject({
      resource: { type: 'agreement', uid },
      data: { uid, state: 'active' },
    });
    const [created] = await stream.untilSent('agreement.active');
    expect(created?.type).toBe('agreement.created');
    stream.stop();

    const payment = aPayment();
    const waiting = until(http, next, 'payment.settled');
    await http.backend.pay(uid, payment);
    const paid = (await waiting).events.filter(({ resource }) => resource.uid === payment.uid);
    // The outcome may overtake the answer to the submission.
    const others = typesOf(paid).filter((type) => type !== 'payment.submitted');
    expect(others).toEqual(['payment.requested', 'payment.settled']);
    expect(paid.at(-1)).toMatchObject({ previous: { state: expect.any(String) as string } });
    const one = paid.at(-1)?.id ?? '';
    expect((await http.get(`/v1/events/${one}`)).body).toEqual(paid.at(-1));

    const resumed = await listen(
      http,
      `connection=${connection}&type=agreement.*,payment.*`,
      created?.cursor,
    );
    const types = (await resumed.untilSent('payment.settled')).map(({ type }) => type);
    expect([types[0], types.at(-1)]).toEqual(['agreement.active', 'payment.settled']);
  });
});

test('a bound key gets only the events of its connections', async () => {
  const connections: string[] = [];
  const bound: ApiKey = {
    ...{ id: 'bound', principal: 'bound', scopes: ['read'], connections },
    sha256: secretOf(createHash('sha256').update('bound').digest()),
  };
  await overHttp(
    temporal,
    async (http, connection) => {
      connections.push(connection);
      const another = `${connection}-2`;
      await http.consent(another);
      await active(http, another);
      const uid = await active(http, connection);
      await until(http, `/v1/events?resource=${uid}&wait=20`, 'agreement.active');
      const { data } = await pageAt(http, '/v1/events?per_page=200&type=agreement.*,connection.*', 'bound');
      expect(typesOf(data)).toContain('agreement.active');
      expect(new Set(data.map((event) => event.connection))).toEqual(new Set([connection]));
      const text = JSON.stringify(data);
      expect(text).not.toContain('200002-55550001');
    },
    undefined,
    { keys: [bound] },
  );
});
