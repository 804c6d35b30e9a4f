import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, expectTypeOf, test, vi } from 'vitest';
import { WebhookError, verifyWebhook, type Payment, type WebhookEvent } from '../../client/create.js';

const NOW = new Date('2026-11-29T00:00:00Z');
const aSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const secret = aSecret();
const body = JSON.stringify({ id: 'evt_1', type: 'payment.settled', data: { uid: 'pay-é' } });

const signature = (by: string, at = NOW, signed = body) => new Webhook(by).sign('evt_1', at, signed);
const headersAt = (at: Date, signatures = signature(secret, at)) => ({
  'webhook-id': 'evt_1',
  'webhook-timestamp': String(at.getTime() / 1000),
  'webhook-signature': signatures,
});
const shifted = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const codeOf = async (work: Promise<unknown>): Promise<unknown> => {
  const error = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(WebhookError);
  return error instanceof WebhookError ? error.code : undefined;
};

beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

describe('verifyWebhook', () => {
  test('returns the typed event of what the reference library has signed', async () => {
    const event = await verifyWebhook({ secret, headers: headersAt(NOW), body });
    expect(event).toMatchObject({ id: 'evt_1', data: { uid: 'pay-é' } });
    expectTypeOf(event).toEqualTypeOf<WebhookEvent>();
    if (event.type === 'payment.settled') expectTypeOf(event.data).toEqualTypeOf<Payment>();
    new Webhook(secret).verify(body, headersAt(NOW));
  });

  test.each([
    ['Headers and bytes', new Headers(headersAt(NOW)), Buffer.from(body)],
    [
      'names of any case, and lists',
      Object.fromEntries(
        Object.entries(headersAt(NOW)).map(([name, value]) => [name.toUpperCase(), [value]]),
      ),
      body,
    ],
    [
      'several signatures',
      headersAt(NOW, `v1a,AAAA ${signature(aSecret())} v1,?? ${signature(secret)}`),
      body,
    ],
  ])('accepts %s', async (_, headers, received) => {
    expect(await verifyWebhook({ secret, headers, body: received })).toHaveProperty('id', 'evt_1');
  });

  test.each([
    ['another body', { ...headersAt(NOW) }, `${body} `],
    ['another secret', headersAt(NOW, signature(aSecret())), body],
    ['another id', { ...headersAt(NOW), 'webhook-id': 'evt_2' }, body],
    ['another time', { ...headersAt(NOW), 'webhook-timestamp': String(shifted(1).getTime() / 1000) }, body],
    ['another version', headersAt(NOW, signature(secret).replace('v1,', 'v2,')), body],
  ])('refuses %s, as the reference library does', async (_, headers, received) => {
    expect(() => new Webhook(secret).verify(received, headers)).toThrow();
    expect(await codeOf(verifyWebhook({ secret, headers, body: received }))).toBe('bad_signature');
  });

  test('allows clocks that differ by five minutes', async () => {
    for (const seconds of [-300, 300])
      await verifyWebhook({ secret, headers: headersAt(shifted(seconds)), body });
    expect(await codeOf(verifyWebhook({ secret, headers: headersAt(shifted(-301)), body }))).toBe('too_old');
    expect(await codeOf(verifyWebhook({ secret, headers: headersAt(shifted(301)), body }))).toBe('too_new');
  });

  test('names what is missing or malformed', async () => {
    const { 'webhook-id': _, ...rest } = headersAt(NOW);
    expect(await codeOf(verifyWebhook({ secret, headers: rest, body }))).toBe('missing_header');
    const headers = { ...headersAt(NOW), 'webhook-timestamp': 'now' };
    expect(await codeOf(verifyWebhook({ secret, headers, body }))).toBe('malformed');
    for (const signed of ['no JSON', '{"id": "evt_1", "type": "payment.settled"}']) {
      const of = { secret, headers: headersAt(NOW, signature(secret, NOW, signed)), body: signed };
      expect(await codeOf(verifyWebhook(of))).toBe('malformed');
    }
    await expect(verifyWebhook({ secret: 'whsec_', headers: headersAt(NOW), body })).rejects.toThrow(
      TypeError,
    );
  });

  test('returns a thin event without data', async () => {
    const thin = '{"id": "evt_1", "type": "payment.settled"}';
    const headers = headersAt(NOW, signature(secret, NOW, thin));
    const event = await verifyWebhook({ secret, headers, body: thin, form: 'thin' });
    expect(event.type).toBe('payment.settled');
    expectTypeOf(event).not.toHaveProperty('data');
  });
});
