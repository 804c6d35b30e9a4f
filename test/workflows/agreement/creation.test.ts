import { describe, expect, test } from 'vitest';
import { aFact } from '../../support/facts.js';
import {
  A_MANDATE,
  anOrder,
  failure,
  fetchedAgreement,
  refusalIn,
} from '../../support/workflows/provider.js';
import { DAY, HOUR, inVirtualTime } from '../../support/workflows/virtual.js';
import { ask } from '../../support/workflows/virtual-agreement.js';
import type { Activities } from '../../../activities/index.js';
import type { Mandate } from '../../../domain/agreement/mandate.js';

const PAYER = { requester_id: 'customer-77', remote_ip: '203.0.113.7' };
const BY_PAYID: Mandate = {
  ...A_MANDATE,
  debtor: { party_name: 'A Payer', account_identifier: { type: 'alias_email', value: 'a@payer.example' } },
};
const LIMITED = ['ZPADD02', 'ZPADD03', 'ZPADD04', 'ZPAGR15', 'ZPAGR16'] as const;

const fails = (times: number, code: string) => {
  let left = times;
  return <T>(answer: T): Promise<T> => {
    left -= 1;
    return left < 0 ? Promise.resolve(answer) : Promise.reject(failure('rejected', [code], 'limit'));
  };
};
const count = (calls: readonly string[], name: keyof Activities): number =>
  calls.filter((call) => call === name).length;

const limitedBy = (code: (typeof LIMITED)[number], times = 1) => {
  const [ofPayId, ofCreation] = code.startsWith('ZPADD') ? [times, 0] : [0, times];
  const resolve = fails(ofPayId, code);
  const create = fails(ofCreation, code);
  return inVirtualTime({
    resolveAlias: () => resolve({ name: 'Ada P' }),
    createAgreement: ({ uid }) => create(fetchedAgreement(uid, 'created')),
  });
};

describe('daily limit on creation', () => {
  test.each(LIMITED)('%s: shows the end of the wait and is created the next day', async (code) => {
    const scene = limitedBy(code);
    const agr = await scene.agreement({ mandate: BY_PAYID, payer: PAYER });
    const { awaiting, state } = agr.view();
    expect({ state, what: awaiting.what }).toEqual({ state: 'pending', what: 'limit' });
    const waitMs = Date.parse(awaiting.until ?? '') - Date.parse(scene.now());
    expect(waitMs).toBeGreaterThan(HOUR);
    expect(waitMs).toBeLessThanOrEqual(DAY + HOUR);
    expect(agr.details()).toContain(code);
    await agr.growLong();
    await scene.pass(HOUR);
    expect(agr.view().awaiting.until).toBe(awaiting.until);
    await scene.pass(waitMs);
    expect(agr.view()).toMatchObject({ state: 'created', payIdDisplayName: 'Ada P' });
  });

  test('resolves a PayID only once across several creation attempts', async () => {
    const scene = limitedBy('ZPAGR15', 3);
    await scene.agreement({ mandate: BY_PAYID, payer: PAYER });
    await scene.pass(5 * DAY);
    expect(count(scene.calls, 'createAgreement')).toBe(4);
    expect(count(scene.calls, 'resolveAlias')).toBe(1);
  });

  test.each(['ZPADD02', 'ZPAGR16'] as const)(
    '%s: an agreement cancelled during the wait is never sent',
    async (code) => {
      const scene = limitedBy(code);
      const agr = await scene.agreement({ mandate: BY_PAYID, payer: PAYER });
      const sent = [...scene.calls];
      await agr.ask(ask('cancellation'));
      await scene.pass(3 * DAY);
      expect(scene.calls).toEqual(sent);
      expect(agr.isOver()).toBe(true);
      expect(agr.view()).toMatchObject({ state: 'cancelled', actions: [{ stage: 'done' }] });
    },
  );

  test('looks up an unanswered submission before it waits for the limit', async () => {
    const failures = [failure('unavailable'), failure('rejected', ['ZPAGR15'], 'limit')];
    const scene = inVirtualTime({
      createAgreement: ({ uid }) => {
        const error = failures.shift();
        return error === undefined
          ? Promise.resolve(fetchedAgreement(uid, 'created'))
          : Promise.reject(error);
      },
      findAgreement: () => Promise.resolve(null),
    });
    const agr = await scene.agreement();
    await scene.pass(HOUR);
    expect(count(scene.calls, 'findAgreement')).toBe(8);
    expect(agr.view()).toMatchObject({ state: 'pending', awaiting: { what: 'limit' } });
    await scene.pass(2 * DAY);
    expect(agr.view().state).toBe('created');
  });

  test('an unknown PayID fails the agreement without a submission', async () => {
    const unknown = failure('rejected', ['ZPADD01'], 'alias_unknown');
    const scene = inVirtualTime({ resolveAlias: () => Promise.reject(unknown) });
    const agr = await scene.agreement({ mandate: BY_PAYID, payer: PAYER });
    expect(agr.end()).toMatchObject({ state: 'failed', stateReason: { code: 'ZPADD01' } });
    expect(JSON.stringify(agr.end())).not.toContain(PAYER.remote_ip);
  });
});

describe("removal of the payer's IP address", () => {
  test('removes the address once the PayID is resolved', async () => {
    const scene = inVirtualTime({
      resolveAlias: () => Promise.resolve({ name: null }),
      createAgreement: () => Promise.reject(failure('rejected', ['ZPAGR00'], 'duplicate_uid')),
      findAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'active')),
    });
    const agr = await scene.agreement({ mandate: BY_PAYID, payer: PAYER });
    await scene.pass(HOUR);
    expect(JSON.stringify(agr.state())).not.toContain(PAYER.remote_ip);
  });

  test('removes the address immediately if no PayID needs it', async () => {
    const scene = inVirtualTime({ createAgreement: () => Promise.reject(failure('unavailable')) });
    const agr = await scene.agreement({ payer: PAYER });
    expect(agr.state().payer).toBeUndefined();
  });
});

describe("client id in the provider's answer", () => {
  const OURS: Mandate = { ...A_MANDATE, initiator: { name: 'M', client_id: 'cl-merchant' } };
  const answering = (uid: string, initiator: Mandate['initiator'], state = 'created') => {
    const fetched = fetchedAgreement(uid, state);
    return { ...fetched, snapshot: { ...fetched.snapshot, mandate: { ...A_MANDATE, initiator } } };
  };
  const NULL = { name: 'M', client_id: null };
  const lost = () => Promise.reject(failure('unavailable'));
  const taken = () => Promise.reject(failure('rejected', ['ZPAGR00'], 'duplicate_uid'));

  test.each<[string, Partial<Activities>]>([
    ['creation', { createAgreement: ({ uid }) => Promise.resolve(answering(uid, NULL)) }],
    [
      'creation, without an initiator',
      { createAgreement: ({ uid }) => Promise.resolve(answering(uid, null)) },
    ],
    [
      'duplicate uid',
      { createAgreement: taken, findAgreement: ({ uid }) => Promise.resolve(answering(uid, NULL)) },
    ],
    [
      'recovery',
      { createAgreement: lost, findAgreement: ({ uid }) => Promise.resolve(answering(uid, NULL)) },
    ],
    [
      'later look-up',
      {
        createAgreement: ({ uid }) => Promise.resolve(answering(uid, OURS.initiator)),
        lookUpAgreement: ({ uid }) => Promise.resolve(answering(uid, NULL, 'active')),
      },
    ],
  ])('parks the agreement if the client is missing (%s)', async (_when, provider) => {
    const scene = inVirtualTime(provider);
    const agr = await scene.agreement({ mandate: OURS });
    await scene.pass(HOUR);
    await agr.receive(aFact('activated'));
    if (provider.lookUpAgreement !== undefined) await agr.lookUpNow();
    expect(agr.view()).toMatchObject({ attention: [{ code: 'parked' }] });
    expect(agr.view().attention[0]?.detail).toContain('/initiator/client_id');
    const paying = agr.pay({ uid: 'pay-1', order: anOrder(agr.uid) });
    expect(refusalIn(await paying.catch((error: unknown) => error))).toMatch(/^agreement_(held|not_active)$/);
  });

  test.each<[string, Mandate, Mandate['initiator']]>([
    ['a missing client, as in older API versions', OURS, { name: 'M' }],
    ['the requested client', OURS, OURS.initiator],
    ['null, if none was requested', A_MANDATE, NULL],
    ['the primary client, if none was requested', A_MANDATE, { client_id: 'cl-primary' }],
  ])('accepts %s', async (_what, mandate, initiator) => {
    const scene = inVirtualTime({
      createAgreement: lost,
      findAgreement: ({ uid }) => Promise.resolve(answering(uid, initiator)),
    });
    const agr = await scene.agreement({ mandate });
    await scene.pass(HOUR);
    expect(agr.view()).toMatchObject({ state: 'created', attention: [] });
  });
});
