import { expect, test } from 'vitest';
import fc from 'fast-check';
import { NOW, anEvent, bytes } from '../support/payments-api/examples.js';
import { NotAnEnvelope, readNotifications } from '../../payments-api/webhook.js';

const SEEN = { receivedAt: NOW, authenticated: true };
const read = (value: unknown) => readNotifications(bytes(value), SEEN);
const only = (value: unknown) => {
  const [first, ...rest] = read(value);
  expect(rest).toEqual([]);
  return first;
};

const UNMATCHED_CREDIT = {
  data: {
    id: '11111111-1111-4111-8111-111111111111',
    type: 'FloatBankTransaction',
    received_at: '2026-09-09T10:00:00+10:00',
    amount: 500,
    channel: 'direct_entry',
    creditor: { id: 'c', type: 'FloatBankAccount', party_name: 'B' },
    debtor: { party_name: 'A', reference: 'R' },
  },
  event: {
    at: '2026-09-09T10:00:01+10:00',
    type: 'float_accounts.unmatched_credit.received',
    who: { account_id: 'a', account_type: 'Account' },
  },
};

test('reads an agreement event', () => {
  const links = { resource: 'https://evil.example/payto/agreements/x' };
  expect(only({ data: anEvent(), links })).toEqual({
    resource: 'agreement',
    resourceType: 'payto_agreement',
    uid: 'agr-2f9c',
    fact: {
      id: '01922222-0000-7000-8000-000000000001',
      type: 'suspended',
      publishedAt: '2026-10-04T22:30:00.250Z',
      receivedAt: NOW,
      source: 'webhook',
      authenticated: true,
      causedBy: 'debtor',
      reason: { code: 'MD16', title: 'By customer', detail: 'Asked for it' },
    },
  });
});

test('marks facts under a bearer verifier as not authenticated', () => {
  const [notification] = readNotifications(bytes({ data: anEvent() }), { ...SEEN, authenticated: false });
  expect(notification?.fact.authenticated).toBe(false);
});

test('knows the resource by the type where it is not named', () => {
  expect(only({ data: anEvent({ resource_type: null }) })).toMatchObject({
    resource: 'agreement',
    resourceType: 'payto_agreement',
  });
});

test('reads an unmatched credit as another resource, by its own id and moment', () => {
  expect(only(UNMATCHED_CREDIT)).toMatchObject({
    resource: 'other',
    resourceType: 'FloatBankTransaction',
    fact: {
      id: '11111111-1111-4111-8111-111111111111',
      type: 'float_accounts.unmatched_credit.received',
      publishedAt: '2026-09-09T00:00:01.000Z',
      detail: {
        amount: 500,
        channel: 'direct_entry',
        event: { who: { account_id: 'a', account_type: 'Account' } },
      },
    },
  });
});

test.each([
  ['events', { at: '2026-09-09T10:00:01+10:00' }, 'action_requested', '2026-09-09T00:00:01.000Z'],
  ['messages', { direction: 'incoming' }, 'message_received', NOW],
  ['messages', { direction: 'outgoing' }, 'message_sent', NOW],
])('names a resource of investigations: %s with %j', (type, attributes, name, publishedAt) => {
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
  ['with an id longer than any id', { id: 'x'.repeat(201) }],
])('takes an agreement event %s for another resource', (_how, overrides) => {
  expect(only({ data: anEvent(overrides) })?.resource).toBe('other');
});

test.each(['../payments/p', '..', '.', 'a b', 'x'.repeat(65), 'a/b', 7])(
  'never hands on the uid %j',
  (resource_uid) => {
    const notification = only({ data: anEvent({ resource_uid }) });
    expect(notification?.resource).toBe('other');
    expect(notification).not.toHaveProperty('uid');
  },
);

test('derives the id of what has none from the bytes, so that a repeat is known again', () => {
  const id = (value: unknown) => only(value)?.fact.id;
  expect(id({ data: { a: 1 } })).toBe(id({ data: { a: 1 } }));
  expect(id({ data: { a: 1 } })).not.toBe(id({ data: { a: 2 } }));
  expect(id({ data: { a: 1 } })).toMatch(/^sha256-[0-9a-f]{64}$/);
});

test('gives entries of one list different ids', () => {
  const ids = read({ data: [{ a: 1 }, { a: 1 }] }).map(({ fact }) => fact.id);
  expect(new Set(ids).size).toBe(2);
});

test.each([
  ['data as a list', { data: [anEvent({ id: '1' }), anEvent({ id: '2' })] }],
  ['a list of envelopes', [{ data: anEvent({ id: '1' }) }, { data: anEvent({ id: '2' }) }]],
  ['data as a list of envelopes', { data: [{ data: anEvent({ id: '1' }) }, { data: anEvent({ id: '2' }) }] }],
])('reads %s in order', (_form, value) => {
  expect(read(value).map(({ resource, fact }) => [resource, fact.id])).toEqual([
    ['agreement', '1'],
    ['agreement', '2'],
  ]);
});

test.each([[{ data: [] }], [[]]])('finds nothing in the empty list %j', (value) => {
  expect(read(value)).toEqual([]);
});

test.each([undefined, null, 'soon'])(
  'takes the moment of receipt where published_at is %j',
  (published_at) => {
    expect(only({ data: anEvent({ published_at }) })?.fact.publishedAt).toBe(NOW);
  },
);

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
])('calls %j no envelope', (body) => {
  expect(() => readNotifications(Buffer.from(body), SEEN)).toThrow(NotAnEnvelope);
});

test('says by a code why it is no envelope, and not what was in it', () => {
  try {
    readNotifications(Buffer.from('Mary 200001-12340001'), SEEN);
  } catch (error) {
    expect(error).toMatchObject({ code: 'not_an_envelope', reason: 'something that is not JSON in UTF-8' });
    expect(String(error)).not.toContain('Mary');
  }
  expect.assertions(2);
});

test('calls bytes that are no UTF-8 no envelope', () => {
  const body = Buffer.concat([Buffer.from('{"data":{"id":"'), Buffer.from([0xff]), Buffer.from('"}}')]);
  expect(() => readNotifications(body, SEEN)).toThrow(NotAnEnvelope);
});

const deep = (open: string, close: string, times: number): string => open.repeat(times) + close.repeat(times);

test.each([
  ['lists', `{"data":${deep('[', ']', 32_000)}}`],
  ['envelopes', `${'{"data":'.repeat(6000)}{}${'}'.repeat(6000)}`],
  ['a list of envelopes', `[${'{"data":'.repeat(6000)}{}${'}'.repeat(6000)}]`],
  ['a body', `{"data":{"id":"1","body":${deep('[', ']', 32_000)}}}`],
  ['metadata', `{"data":{"id":"1","resource_metadata":{"a":${deep('[', ']', 32_000)}}}}`],
])('survives 64 KiB of nested %s', (_what, body) => {
  try {
    for (const { fact } of readNotifications(Buffer.from(body), SEEN))
      expect(JSON.stringify(fact).length).toBeLessThan(2000);
  } catch (error) {
    expect(error).toBeInstanceOf(NotAnEnvelope);
  }
});

test('takes no prototype from a body', () => {
  const body =
    '{"data":{"id":"1","body":{"__proto__":{"polluted":true},"a":{"__proto__":{"polluted":true}}}}}';
  const [notification] = readNotifications(Buffer.from(body), SEEN);
  expect(Reflect.get(notification?.fact.detail ?? {}, 'polluted')).toBeUndefined();
  expect(notification?.fact.detail).toEqual({ a: {} });
});

test('throws nothing but NotAnEnvelope, whatever comes, and gives only facts that are JSON', () => {
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
        for (const { fact } of readNotifications(Buffer.from(text), SEEN)) {
          expect(JSON.parse(JSON.stringify(fact))).toMatchObject({ id: fact.id, source: 'webhook' });
        }
      } catch (error) {
        expect(error).toBeInstanceOf(NotAnEnvelope);
      }
    }),
  );
});
