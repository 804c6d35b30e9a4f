import { describe, expect, test } from 'vitest';
import { KEYS, anApi, get, post, sentOf } from '../../../support/api/app.js';
import { aPayment, anAgreement, problemIn } from '../../../support/api/builders.js';

const refusing = anApi();

const AGREEMENTS = '/v1/agreements';
const PAYMENTS = '/v1/agreements/agr-1/payments';
const terms = (with_: Record<string, unknown>) => ({
  ...anAgreement(),
  payment_terms: { ...anAgreement().payment_terms, ...with_ },
});
const debtor = (type: string, value: string) => ({
  ...anAgreement(),
  debtor: { ...anAgreement().debtor, account_identifier: { type, value } },
});
const without = (key: string) =>
  Object.fromEntries(Object.entries(anAgreement()).filter(([name]) => name !== key));

describe('validation of agreement fields', () => {
  const CASES: [string, unknown, string[]][] = [
    ['an unknown field', { ...anAgreement(), abn: '1' }, ['/abn']],
    ['a nested unknown field', { ...anAgreement(), initiator: { tfn: '1' } }, ['/initiator/tfn']],
    ['two unknown fields', { ...anAgreement(), 'a/b': 1, 'c~d': 2 }, ['/a~1b', '/c~0d']],
    [
      'a field named __proto__',
      JSON.stringify(anAgreement()).replace('{', '{"__proto__":{"x":1},'),
      ['/__proto__'],
    ],
    ['a missing field', without('description'), ['/description']],
    ['a wrong type', { ...anAgreement(), description: 7 }, ['/description']],
    ['null for an object', { ...anAgreement(), debtor: null }, ['/debtor']],
    ['a list as the body', [], ['']],
    ['null as the body', null, ['']],
    ['text as the body', '"text"', ['']],
    ['an empty uid', { ...anAgreement(), uid: '' }, ['/uid']],
    ['a uid of 65 characters', { ...anAgreement(), uid: 'u'.repeat(65) }, ['/uid']],
    ['a uid with a slash', { ...anAgreement(), uid: 'a/b' }, ['/uid']],
    ['a uid with a quote', { ...anAgreement(), uid: "a'b" }, ['/uid']],
    ['a uid with a trailing newline', { ...anAgreement(), uid: 'a\n' }, ['/uid']],
    ['an amount of 0', terms({ max_amount: 0 }), ['/payment_terms/max_amount']],
    ['a negative amount', terms({ max_amount: -1 }), ['/payment_terms/max_amount']],
    ['a fraction of a cent', terms({ max_amount: 1.5 }), ['/payment_terms/max_amount']],
    ['an amount over the maximum', terms({ max_amount: 1_000_000_001 }), ['/payment_terms/max_amount']],
    ['an amount as text', terms({ max_amount: '100' }), ['/payment_terms/max_amount']],
    [
      'a date that does not exist',
      { ...anAgreement(), validity_start_date: '2026-02-30' },
      ['/validity_start_date'],
    ],
    ['a 13th month', terms({ first_payment_date: '2026-13-01' }), ['/payment_terms/first_payment_date']],
    [
      'a date with a time',
      { ...anAgreement(), validity_end_date: '2026-10-01T00:00:00Z' },
      ['/validity_end_date'],
    ],
    ['an unknown purpose', { ...anAgreement(), purpose: 'fun' }, ['/purpose']],
    ['a non-ASCII description', { ...anAgreement(), description: 'Zahlung für 7' }, ['/description']],
    ['a description of 141 characters', { ...anAgreement(), description: 'x'.repeat(141) }, ['/description']],
    ['a debtor without an account', { ...anAgreement(), debtor: {} }, ['/debtor/account_identifier']],
    ['a PayID without a payer', debtor('alias_email', 'a@b.example'), ['/payer']],
    [
      'a host name as the IP address of the payer',
      { ...anAgreement(), payer: { requester_id: 'c-1', remote_ip: 'localhost' } },
      ['/payer/remote_ip'],
    ],
    [
      'a deadline without a time',
      { ...anAgreement(), resolution_requested_before: '2027-02-01' },
      ['/resolution_requested_before'],
    ],
    ['metadata over 2 KB', { ...anAgreement(), metadata: { a: 'x'.repeat(2100) } }, ['/metadata']],
    [
      'metadata over 2 KB in bytes, with fewer characters',
      { ...anAgreement(), metadata: { a: '支'.repeat(700) } },
      ['/metadata'],
    ],
    ['a nested metadata value', { ...anAgreement(), metadata: { a: {} } }, ['/metadata/a']],
    [
      'three invalid fields',
      { ...anAgreement(), uid: '/', purpose: 'x', description: '' },
      ['/uid', '/purpose', '/description'],
    ],
  ];

  test.each(CASES)('refuses %s with 400 and its pointers', async (_, body, pointers) => {
    const response = await post(refusing, AGREEMENTS, body);
    const problem = await problemIn(response);
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request' });
    expect([...problem.pointers].sort()).toEqual([...pointers].sort());
    expect(sentOf(refusing.door)).toBe(0);
  });
});

describe('validation of payment fields', () => {
  const CASES: [string, Record<string, unknown>, string][] = [
    ['an amount of 0', { amount: 0 }, '/amount'],
    ['a negative amount', { amount: -4200 }, '/amount'],
    ['a fraction of a cent', { amount: 42.5 }, '/amount'],
    ['an amount over the maximum', { amount: 1_000_000_001 }, '/amount'],
    ['an amount of 1e300', { amount: 1e300 }, '/amount'],
    ['an amount as text', { amount: '4200' }, '/amount'],
    ['no amount', { amount: undefined }, '/amount'],
    ['a uid outside the pattern', { uid: 'a b' }, '/uid'],
    ['an unknown field', { agreement_uid: 'agr-2' }, '/agreement_uid'],
    ['a description that is too long', { description: 'x'.repeat(281) }, '/description'],
    ['an empty creditor reference', { creditor_reference: '' }, '/creditor_reference'],
    ['a reference that is too long', { reference: 'r'.repeat(36) }, '/reference'],
    ['an unknown priority', { priority: 'urgent' }, '/priority'],
  ];

  test.each(CASES)('refuses %s with 400 and its pointer', async (_, with_, pointer) => {
    const problem = await problemIn(await post(refusing, PAYMENTS, { ...aPayment(), ...with_ }));
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request' });
    expect([...new Set(problem.pointers)]).toEqual([pointer]);
    expect(sentOf(refusing.door)).toBe(0);
  });
});

describe('request body', () => {
  const big = JSON.stringify({ ...anAgreement(), metadata: { x: 'x'.repeat(33 * 1024) } });
  const CASES: [string, string, Record<string, string>, number, string][] = [
    ['with incomplete JSON', '{"uid":', {}, 400, 'malformed_json'],
    ['without content', '', {}, 400, 'malformed_json'],
    ['with two JSON values', '{}{}', {}, 400, 'malformed_json'],
    ['over 32 KiB', big, {}, 413, 'body_too_large'],
    ['with a large Content-Length', big, { 'content-length': String(big.length) }, 413, 'body_too_large'],
    [
      'sent as a form',
      'uid=agr-1',
      { 'content-type': 'application/x-www-form-urlencoded' },
      415,
      'unsupported_media_type',
    ],
    [
      'sent as text/plain',
      JSON.stringify(anAgreement()),
      { 'content-type': 'text/plain' },
      415,
      'unsupported_media_type',
    ],
    [
      'sent as application/jsonx',
      JSON.stringify(anAgreement()),
      { 'content-type': 'application/jsonx' },
      415,
      'unsupported_media_type',
    ],
  ];

  test.each(CASES)('%s is refused', async (_, body, headers, status, code) => {
    for (const path of [AGREEMENTS, PAYMENTS, '/v1/connections']) {
      if (body === '' && path === '/v1/connections') continue;
      const answer = await post(refusing, path, body, headers);
      expect(answer.headers.get('connection')).toBe(status === 413 ? 'close' : null);
      expect(await problemIn(answer)).toMatchObject({ status, code });
      expect(sentOf(refusing.door)).toBe(0);
    }
  });

  test.each([
    [AGREEMENTS, anAgreement()],
    [PAYMENTS, aPayment()],
    [`${AGREEMENTS}/agr-1/cancellation`, {}],
  ])('sent to %s with two Idempotency-Key headers is refused with 400', async (path, body) => {
    const keys = new Headers([
      ['idempotency-key', 'order-1'],
      ['idempotency-key', 'order-2'],
    ]);
    const problem = await problemIn(
      await post(refusing, path, JSON.stringify(body), Object.fromEntries(keys)),
    );
    expect(problem).toMatchObject({ status: 400, errors: [{ header: 'Idempotency-Key' }] });
    expect(sentOf(refusing.door)).toBe(0);
  });

  test('with invalid UTF-8 is refused with 400', async () => {
    const bytes = Buffer.concat([Buffer.from('{"uid":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    const headers = { authorization: `Bearer ${KEYS.all}`, 'content-type': 'application/json' };
    const response = await refusing.app.request(AGREEMENTS, { method: 'POST', headers, body: bytes });
    expect(await problemIn(response)).toMatchObject({ status: 400, code: 'malformed_json' });
  });

  test('with a charset in its content type is accepted', async () => {
    const response = await post(anApi(), AGREEMENTS, anAgreement(), {
      'content-type': 'application/json; charset=utf-8',
    });
    expect(response.status).toBe(202);
  });
});

describe('validation of paths and parameters', () => {
  const CASES: [string, string, string][] = [
    ['a uid outside the pattern', '/v1/agreements/a%20b', 'uid'],
    ['a uid with an encoded slash', '/v1/agreements/a%2Fb', 'uid'],
    ['a uid that cannot be decoded', '/v1/payments/%ff%00', 'uid'],
    ['a uid that is too long', `/v1/payments/${'u'.repeat(65)}`, 'uid'],
    ['a connection outside the pattern', "/v1/connections/a'b", 'id'],
    ['a wait of 31 seconds', '/v1/agreements/agr-1?wait=31', 'wait'],
    ['a negative wait', '/v1/payments/pay-1?wait=-1', 'wait'],
    ['a fractional wait', '/v1/agreements/agr-1?wait=1.5', 'wait'],
    ['an empty wait', '/v1/agreements/agr-1?wait=', 'wait'],
    ['two waits', '/v1/agreements/agr-1?wait=1&wait=2', 'wait'],
    ['an unknown parameter', '/v1/agreements?stat=active', 'stat'],
    ['an unknown state', "/v1/agreements?state=active'%20OR%20'1'='1", 'state'],
    ['an unknown awaiting', '/v1/agreements?awaiting=godot', 'awaiting'],
    ['an unknown attention', '/v1/agreements?attention=please', 'attention'],
    ['a connection with a quote', "/v1/agreements?connection=a'b", 'connection'],
    ['0 per page', '/v1/agreements?per_page=0', 'per_page'],
    ['201 per page', '/v1/agreements?per_page=201', 'per_page'],
    ['a cursor with invalid characters', '/v1/agreements?cursor=%00', 'cursor'],
    ['a forged cursor', '/v1/agreements?cursor=bm9uc2Vuc2U', 'cursor'],
    ['a cursor of another list', '/v1/agreements/agr-1/timeline?cursor=aGVsbG8', 'cursor'],
    ['a cursor that is not base64url', '/v1/agreements/agr-1/payments?cursor=a', 'cursor'],
  ];

  test.each(CASES)('refuses %s with 400 and its parameter', async (_, path, parameter) => {
    const problem = await problemIn(await get(refusing, path));
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request', parameters: [parameter] });
  });

  test.each(['/v1/nothing', '/', '/v1/agreements/', '/v2/agreements', '/docs/../package.json'])(
    'answers 404 for the unknown route %s',
    async (path) => {
      expect(await problemIn(await get(refusing, path))).toMatchObject({ status: 404, code: 'not_found' });
    },
  );

  test.each([
    ['DELETE', '/v1/agreements/agr-1', 'GET, HEAD'],
    ['PUT', '/v1/agreements', 'POST, GET, HEAD'],
    ['GET', '/webhooks', 'POST'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['OPTIONS', '/v1/payments/pay-1', 'GET, HEAD'],
  ])('answers %s %s with 405 and the Allow header', async (method, path, allow) => {
    const { app } = refusing;
    const response = await app.request(path, { method, headers: { authorization: `Bearer ${KEYS.all}` } });
    expect(response.headers.get('allow')).toBe(allow);
    expect(await problemIn(response)).toMatchObject({ status: 405, code: 'method_not_allowed' });
  });

  test.each([
    '/v1/agreements/no-1',
    '/v1/agreements/no-1/timeline',
    '/v1/agreements/no-1/payments',
    '/v1/payments/no-1',
    '/v1/connections/no-1',
  ])('answers 404 for an unknown uid: %s', async (path) => {
    const api = anApi();
    for (const read of [
      api.door.agreements.view,
      api.door.agreements.whole,
      api.door.timeline,
      api.door.payments.view,
      api.door.connections.view,
    ])
      read.mockResolvedValue(undefined);
    expect(await problemIn(await get(api, path))).toMatchObject({ status: 404, code: 'not_found' });
  });
});
