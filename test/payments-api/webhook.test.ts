import { expect, test } from 'vitest';
import fc from 'fast-check';
import { NOW, anEvent, bytes } from '../support/payments-api/examples.js';
import { cpuOf } from '../support/cpu.js';
import { NotAnEnvelope, readNotifications } from '../../payments-api/webhook.js';

const RECEIPT = { receivedAt: NOW, authenticated: true };
const read = (value: unknown) => readNotifications(bytes(value), RECEIPT);
const only = (value: unknown) => {
  const [first, ...rest] = read(value);
  expect(rest).toEqual([]);
  return first;
};

test('facts under a bearer verifier are unauthenticated', () => {
  const [notification] = readNotifications(bytes({ data: anEvent() }), { ...RECEIPT, authenticated: false });
  expect(notification?.fact.authenticated).toBe(false);
});

test('an event far in the future takes the time of its receipt', () => {
  const soon = new Date(Date.parse(NOW) + 5 * 60_000).toISOString();
  expect(only({ data: anEvent({ published_at: soon }) })?.fact.publishedAt).toBe(soon);
  const claimedAt = '9999-12-31T23:59:59.999Z';
  const { fact } = only({ data: anEvent({ published_at: claimedAt }) }) ?? {};
  expect(fact).toMatchObject({ publishedAt: NOW, receivedAt: NOW, claimedAt });
});

test('the event type identifies the resource if resource_type is missing', () => {
  expect(only({ data: anEvent({ resource_type: null }) })).toMatchObject({
    resource: 'agreement',
    resourceType: 'payto_agreement',
  });
});

test.each([
  ['events', { at: '2026-09-09T10:00:01+10:00' }, 'action_requested', '2026-09-09T00:00:01.000Z'],
  ['messages', { direction: 'incoming' }, 'message_received', NOW],
  ['messages', { direction: 'outgoing' }, 'message_sent', NOW],
])('an investigation resource is named from %s with %j', (type, attributes, name, publishedAt) => {
  const pushed = { id: 'i-1', type, attributes };
  const expected = {
    resource: 'other',
    resourceType: 'investigations',
    fact: { id: 'i-1', type: `investigations.${name}`, publishedAt, detail: { attributes } },
  };
  expect(only(pushed)).toMatchObject(expected);
  expect(only({ data: pushed })).toMatchObject(expected);
});

test.each([
  ['without an id', { id: null }],
  ['without a type', { type: undefined }],
  ['without a uid', { resource_uid: null }],
  ['with an overlong id', { id: 'x'.repeat(201) }],
])('an agreement event %s is stored as another resource', (_how, overrides) => {
  expect(only({ data: anEvent(overrides) })?.resource).toBe('other');
});

test.each(['../payments/p', '..', '.', 'a b', 'x'.repeat(65), 'a/b', 7])(
  'the invalid uid %j is dropped',
  (resource_uid) => {
    const notification = only({ data: anEvent({ resource_uid }) });
    expect(notification?.resource).toBe('other');
    expect(notification).not.toHaveProperty('uid');
  },
);

test('a missing id is derived from the bytes, so a repeat is recognised', () => {
  const id = (value: unknown) => only(value)?.fact.id;
  expect(id({ data: { a: 1 } })).toBe(id({ data: { a: 1 } }));
  expect(id({ data: { a: 1 } })).not.toBe(id({ data: { a: 2 } }));
  expect(id({ data: { a: 1 } })).toMatch(/^sha256-[0-9a-f]{64}$/);
});

test('entries of one list without an id get different ids', () => {
  const entry = { ...anEvent(), id: undefined };
  const ids = read({ data: [entry, entry] }).map(({ fact }) => fact.id);
  expect(new Set(ids).size).toBe(2);
});

test('entries that name no resource are one notification, and lose nothing', () => {
  const nameless = [{ a: 1 }, { id: 'one', type: 'new_event' }, ...Array.from({ length: 5000 }, () => ({}))];
  const [event, one, ...others] = read({ data: [nameless[0], anEvent({ id: '1' }), ...nameless.slice(1)] });
  expect(others).toEqual([]);
  expect(event).toMatchObject({ resource: 'agreement', fact: { id: '1' } });
  expect(one).toMatchObject({ resource: 'other', resourceType: 'unknown', fact: { type: 'unknown' } });
  expect(one?.uid).toBeUndefined();
  expect(one?.fact.detail).toEqual({ entries: nameless });
});

test('several rows of a core event keep its type, time and account', () => {
  const event = { type: 'debit.cleared', at: '2026-09-09T02:24:50Z', who: { account_id: 'acc-1' } };
  const data = [
    { ref: 'D.9a', type: 'debit', amount: 4200 },
    { ref: 'D.9b', amount: 100 },
  ];
  const cleared = {
    ...{ resource: 'other', resourceType: 'debit' },
    fact: {
      ...{ type: 'debit.cleared', publishedAt: '2026-09-09T02:24:50.000Z' },
      detail: { entries: data, event: { who: { account_id: 'acc-1' } } },
    },
  };
  expect(only({ event, data })).toMatchObject(cleared);
  const failed = { ...event, type: 'debit.failed' };
  const both = read([
    { event, data },
    { event: failed, data },
  ]);
  expect(both).toMatchObject([cleared, { fact: { type: 'debit.failed' } }]);
  expect(new Set(both.map(({ fact }) => fact.id)).size).toBe(2);
});

test('events beyond the first 500 are one notification, and lose nothing', () => {
  const events = Array.from({ length: 502 }, (_, index) => ({ ...anEvent(), id: undefined, index }));
  const notifications = read({ data: events, event: { type: 'x' } });
  expect(notifications).toHaveLength(501);
  expect(notifications.at(-1)).toMatchObject({ resource: 'other', fact: { type: 'unknown' } });
  const rest = events.slice(500).map((data) => ({ data: { ...data, id: undefined }, event: { type: 'x' } }));
  expect(notifications.at(-1)?.fact.detail).toEqual({ entries: rest });
  expect(new Set(notifications.map(({ fact }) => fact.id)).size).toBe(501);
});

test.each([{}, { resource_uid: 'a' }])(
  'a body full of entries %o without an id is read within milliseconds',
  async (entry) => {
    const data = Array(Math.floor(65_000 / (JSON.stringify(entry).length + 1))).fill(entry);
    const body = bytes({ data });
    expect(await cpuOf(() => readNotifications(body, RECEIPT))).toBeLessThan(250); // Was 5 s.
  },
);

test.each([
  ['a list in data', { data: [anEvent({ id: '1' }), anEvent({ id: '2' })] }],
  ['a list of envelopes', [{ data: anEvent({ id: '1' }) }, { data: anEvent({ id: '2' }) }]],
  ['a list of envelopes in data', { data: [{ data: anEvent({ id: '1' }) }, { data: anEvent({ id: '2' }) }] }],
])('%s is read in order', (_form, value) => {
  expect(read(value).map(({ resource, fact }) => [resource, fact.id])).toEqual([
    ['agreement', '1'],
    ['agreement', '2'],
  ]);
});

test.each([[{ data: [] }], [[]]])('the empty list %j has no notifications', (value) => {
  expect(read(value)).toEqual([]);
});

test.each([
  '',
  'x',
  '{',
  'null',
  '7',
  '"x"',
  '{}',
  '{"data":null}',
  '{"data":7}',
  '[7]',
  '{"data":[7]}',
  '[{}]',
])('%j is not an envelope', (body) => {
  expect(() => readNotifications(Buffer.from(body), RECEIPT)).toThrow(NotAnEnvelope);
});

test('the error has a code and contains nothing of the body', () => {
  try {
    readNotifications(Buffer.from('Mary 200001-12340001'), RECEIPT);
  } catch (error) {
    expect(error).toMatchObject({ code: 'not_an_envelope', reason: 'something that is not JSON in UTF-8' });
    expect(String(error)).not.toContain('Mary');
  }
  expect.assertions(2);
});

test('bytes that are not UTF-8 are not an envelope', () => {
  const body = Buffer.concat([Buffer.from('{"data":{"id":"'), Buffer.from([0xff]), Buffer.from('"}}')]);
  expect(() => readNotifications(body, RECEIPT)).toThrow(NotAnEnvelope);
});

const deep = (open: string, close: string, times: number): string => open.repeat(times) + close.repeat(times);

test.each([
  ['lists', `{"data":${deep('[', ']', 32_000)}}`],
  ['envelopes', `${'{"data":'.repeat(6000)}{}${'}'.repeat(6000)}`],
  ['envelopes in a list', `[${'{"data":'.repeat(6000)}{}${'}'.repeat(6000)}]`],
  ['bodies', `{"data":{"id":"1","body":${deep('[', ']', 32_000)}}}`],
  ['metadata', `{"data":{"id":"1","resource_metadata":{"a":${deep('[', ']', 32_000)}}}}`],
])('64 KiB of nested %s are handled', (_what, body) => {
  try {
    for (const { fact } of readNotifications(Buffer.from(body), RECEIPT))
      expect(JSON.stringify(fact).length).toBeLessThan(2000);
  } catch (error) {
    expect(error).toBeInstanceOf(NotAnEnvelope);
  }
});

test('a body cannot set a prototype', () => {
  const body =
    '{"data":{"id":"1","body":{"__proto__":{"polluted":true},"a":{"__proto__":{"polluted":true}}}}}';
  const [notification] = readNotifications(Buffer.from(body), RECEIPT);
  expect(Reflect.get(notification?.fact.detail ?? {}, 'polluted')).toBeUndefined();
  expect(notification?.fact.detail).toEqual({ a: {} });
});

test('property: reading throws only NotAnEnvelope and returns JSON facts', () => {
  const member = fc.constantFrom(
    'id',
    'type',
    'resource_type',
    'resource_uid',
    'published_at',
    'body',
    'data',
    'event',
  );
  const event = fc.dictionary(member, fc.jsonValue());
  const body = fc.oneof(
    fc.json(),
    fc.string(),
    event.map((data) => JSON.stringify({ data })),
    fc.array(event).map((data) => JSON.stringify({ data })),
  );
  fc.assert(
    fc.property(body, (text) => {
      try {
        for (const { fact } of readNotifications(Buffer.from(text), RECEIPT)) {
          expect(JSON.parse(JSON.stringify(fact))).toMatchObject({ id: fact.id, source: 'webhook' });
        }
      } catch (error) {
        expect(error).toBeInstanceOf(NotAnEnvelope);
      }
    }),
  );
});
