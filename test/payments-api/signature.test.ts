import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import fc from 'fast-check';
import { createVerifier, type VerifierOptions } from '../../payments-api/webhook.js';

const NOW_S = 1_790_000_000;
const NOW_MS = NOW_S * 1000;
const BODY = Buffer.from('{"data":{"id":"1"}}');
const SECRET = 'current-secret';
const OLD = 'old-secret';
const STANDARD_SECRET = `whsec_${Buffer.from('current-standard-key').toString('base64')}`;
const STANDARD_OLD = `whsec_${Buffer.from('old-standard-key').toString('base64')}`;

const optionsOf = (verifier: VerifierOptions['verifier']): VerifierOptions => ({
  verifier,
  secrets: verifier === 'standard' ? [STANDARD_SECRET, STANDARD_OLD] : [SECRET, OLD],
  signatureHeader: 'Service-Signature',
  toleranceSeconds: 300,
});
const hmac = createVerifier(optionsOf('hmac'));
const standard = createVerifier(optionsOf('standard'));
const bearer = createVerifier(optionsOf('bearer'));

const headers = (values: Record<string, string>) => (name: string) =>
  Object.entries(values).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];

const hexOf = (secret: string, seconds: number, body: Uint8Array = BODY): string =>
  createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex');
const signed = (signature: string) => headers({ 'service-signature': signature });
const hmacHeader = (secret = SECRET, seconds = NOW_S): string => `${seconds}.${hexOf(secret, seconds)}`;

const standardHeaders = (secret: string, seconds = NOW_S, body: Uint8Array = BODY, id = 'msg_1') => {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const digest = createHmac('sha256', key).update(`${id}.${seconds}.`).update(body).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${digest}` };
};

const GOOD = { ok: true, authenticatesBody: true };
const STALE = { ok: true, authenticatesBody: false, isStale: true };
const flipped = (body: Uint8Array, at: number, bit: number): Uint8Array =>
  body.map((byte, index) => (index === at ? byte ^ (1 << bit) : byte));

test('hmac accepts a valid signature and authenticates the body', () => {
  expect(hmac(BODY, signed(hmacHeader()), NOW_MS)).toEqual(GOOD);
});

test('hmac accepts a known vector', () => {
  const verify = createVerifier({ ...optionsOf('hmac'), secrets: ['key'] });
  const hex = 'f649f85ef1478e035d979a460f2adc54f17fa5bdf23e47e9f070e7356f5fafa6';
  expect(verify(Buffer.from('The quick brown fox'), signed(`${NOW_S}.${hex}`), NOW_MS)).toEqual(GOOD);
});

test('hmac accepts the old secret during rotation', () => {
  expect(hmac(BODY, signed(hmacHeader(OLD)), NOW_MS)).toEqual(GOOD);
});

test.each([
  ['a second signature', `${NOW_S}.${'0'.repeat(64)}.${hexOf(SECRET, NOW_S)}`],
  ['an additional part', `${NOW_S}.v2=abc.${hexOf(SECRET, NOW_S)}`],
  ['uppercase hex digits', `${NOW_S}.${hexOf(SECRET, NOW_S).toUpperCase()}`],
])('hmac accepts %s', (_what, header) => {
  expect(hmac(BODY, signed(header), NOW_MS)).toEqual(GOOD);
});

test('property: hmac refuses any flipped bit of the body', () => {
  fc.assert(
    fc.property(fc.nat(BODY.length - 1), fc.nat(7), (at, bit) => {
      expect(hmac(flipped(BODY, at, bit), signed(hmacHeader()), NOW_MS)).toEqual({
        ok: false,
        why: 'mismatch',
      });
    }),
  );
});

test('property: hmac refuses any changed digit of the signature', () => {
  fc.assert(
    fc.property(fc.nat(63), fc.integer({ min: 1, max: 15 }), (at, by) => {
      const hex = hexOf(SECRET, NOW_S);
      const digit = ((parseInt(hex.charAt(at), 16) + by) % 16).toString(16);
      const forged = `${NOW_S}.${hex.slice(0, at)}${digit}${hex.slice(at + 1)}`;
      expect(hmac(BODY, signed(forged), NOW_MS)).toEqual({ ok: false, why: 'mismatch' });
    }),
  );
});

test.each([
  ['a wrong secret', () => hmacHeader('wrong')],
  ['a signature of another body', () => `${NOW_S}.${hexOf(SECRET, NOW_S, Buffer.from('{}'))}`],
  ['a signature of another time', () => `${NOW_S}.${hexOf(SECRET, NOW_S - 1)}`],
])('hmac refuses %s', (_what, header) => {
  expect(hmac(BODY, signed(header()), NOW_MS)).toEqual({ ok: false, why: 'mismatch' });
});

test.each([-301, 301])('hmac marks a valid signature %i s away as stale', (offset) => {
  expect(hmac(BODY, signed(hmacHeader(SECRET, NOW_S + offset)), NOW_MS)).toEqual(STALE);
  expect(hmac(BODY, signed(hmacHeader('wrong', NOW_S + offset)), NOW_MS)).toEqual({
    ok: false,
    why: 'mismatch',
  });
});

test.each([-300, 300])('hmac accepts a signature %i s away', (offset) => {
  expect(hmac(BODY, signed(hmacHeader(SECRET, NOW_S + offset)), NOW_MS)).toEqual(GOOD);
});

test.each([
  '.',
  'x',
  String(NOW_S),
  `${NOW_S}.`,
  `${NOW_S}.abc`,
  `${hmacHeader()}0`,
  hmacHeader().slice(0, -1),
  `-${hmacHeader()}`,
])('hmac rejects the header %j as malformed', (header) => {
  expect(hmac(BODY, signed(header), NOW_MS)).toEqual({ ok: false, why: 'malformed' });
});

test.each([
  ['hmac', hmac],
  ['standard', standard],
  ['bearer', bearer],
] as const)('%s reports a missing header', (_name, verify) => {
  expect(verify(BODY, () => undefined, NOW_MS)).toEqual({ ok: false, why: 'missing' });
  expect(verify(BODY, () => null, NOW_MS)).toEqual({ ok: false, why: 'missing' });
});

test('standard accepts the vector of the Standard Webhooks specification', () => {
  const secrets = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'];
  const verify = createVerifier({ ...optionsOf('standard'), secrets });
  const published = headers({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
  expect(verify(Buffer.from('{"test": 2432232314}'), published, 1_614_265_330_000)).toEqual(GOOD);
});

test.each([STANDARD_SECRET, STANDARD_OLD])('standard accepts each of its secrets: %s', (secret) => {
  expect(standard(BODY, headers(standardHeaders(secret)), NOW_MS)).toEqual(GOOD);
});

test('standard finds its signature among others', () => {
  const good = standardHeaders(STANDARD_SECRET);
  const several = {
    ...good,
    'webhook-signature': `v1a,xyz v1,${'A'.repeat(43)}= ${good['webhook-signature']}`,
  };
  expect(standard(BODY, headers(several), NOW_MS)).toEqual(GOOD);
});

test('property: standard refuses any flipped bit of body or signature', () => {
  const good = standardHeaders(STANDARD_SECRET);
  fc.assert(
    fc.property(fc.nat(BODY.length - 1), fc.nat(42), fc.nat(7), (inBody, inSignature, bit) => {
      expect(standard(flipped(BODY, inBody, bit), headers(good), NOW_MS).ok).toBe(false);
      const bytes = flipped(Buffer.from(good['webhook-signature']), 3 + inSignature, bit);
      const forged = { ...good, 'webhook-signature': Buffer.from(bytes).toString('latin1') };
      expect(standard(BODY, headers(forged), NOW_MS).ok).toBe(false);
    }),
  );
});

test.each([
  ['another id', { 'webhook-id': 'msg_2' }, 'mismatch'],
  ['another time', { 'webhook-timestamp': String(NOW_S + 1) }, 'mismatch'],
  ['a timestamp that is not a number', { 'webhook-timestamp': 'now' }, 'malformed'],
  ['an unsupported signature version', { 'webhook-signature': 'v1a,xyz' }, 'malformed'],
  ['an empty id', { 'webhook-id': '' }, 'missing'],
])('standard refuses %s', (_what, overrides, why) => {
  const given = headers({ ...standardHeaders(STANDARD_SECRET), ...overrides });
  expect(standard(BODY, given, NOW_MS)).toEqual({ ok: false, why });
});

test('standard marks an old signature as stale', () => {
  expect(standard(BODY, headers(standardHeaders(STANDARD_SECRET)), NOW_MS + 301_000)).toEqual(STALE);
});

test.each([SECRET, OLD])('bearer accepts %s without authenticating the body', (secret) => {
  const given = headers({ authorization: `Bearer ${secret}` });
  expect(bearer(BODY, given, NOW_MS)).toEqual({ ok: true, authenticatesBody: false });
});

test.each([
  [`Bearer ${SECRET}x`, 'mismatch'],
  [`Bearer ${SECRET.slice(0, -1)}`, 'mismatch'],
  ['Bearer x', 'mismatch'],
  ['Bearer ', 'malformed'],
  [`Basic ${SECRET}`, 'malformed'],
  [SECRET, 'malformed'],
])('bearer refuses %j as %s', (authorization, why) => {
  expect(bearer(BODY, headers({ authorization }), NOW_MS)).toEqual({ ok: false, why });
});

test.each([{ secrets: [] }, { secrets: [''] }, { secrets: [SECRET, '  '] }])(
  'a verifier without valid secrets is refused: %j',
  (bad) => {
    expect(() => createVerifier({ ...optionsOf('hmac'), ...bad })).toThrow(TypeError);
  },
);

test.each(['whsec_', 'whsec_!!!', 'whsec_not base64'])('the standard secret %j is refused', (secret) => {
  expect(() => createVerifier({ ...optionsOf('standard'), secrets: [secret] })).toThrow(TypeError);
});
