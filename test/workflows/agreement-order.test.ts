// What comes before what, where several things are wanted of one agreement at once.
import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import {
  agreementDiffers, agreementFact, getAgreement, lookUpNow, requestAction,
} from '../../workflows/agreement/contract.js'; // prettier-ignore
import { aFact } from '../domain/facts.js';
import { eventually, skipTime, useTemporal } from '../support/temporal.js';
import { agreementLook, nothingNew, only } from './provider.js';
import { startAgreement, untilAgreement } from './starting.js';
import type { Activities } from '../../activities/index.js';
import type { ActionRequest } from '../../domain/action.js';

const temporal = useTemporal();
const created = {
  createAgreement: ({ uid }: { uid: string }) => Promise.resolve(agreementLook(uid, 'created')),
};
const accepts = { ...created, actOnAgreement: () => Promise.resolve({ outcome: 'accepted' } as const) };
const suspension = (): ActionRequest => ({
  key: randomUUID(),
  ask: { kind: 'suspension', body: { reason: 'customer_requested', narrative: 'As asked' } },
});
const amendment = (): ActionRequest => ({
  key: randomUUID(),
  ask: { kind: 'amendment', body: { changes: { description: 'Plan 78' } } },
});

async function anActiveOne() {
  const handle = await startAgreement(temporal);
  await handle.signal(agreementFact, aFact('activated'));
  await untilAgreement(handle, ({ state, awaiting }) => state === 'active' && awaiting.what === 'nothing');
  return handle;
}

const during = (given: Partial<Activities>, story: () => Promise<void>) => temporal.run(only(given), story);

describe('an end that leaves an action open', () => {
  test('is looked at first: the action may have come off before it, and nobody have told us', async () => {
    const applied = aFact('amended', { source: 'history' });
    let looks = 0;
    const lookUpAgreement: Activities['lookUpAgreement'] = ({ uid }) => {
      looks += 1;
      return Promise.resolve(agreementLook(uid, 'cancelled', [late, ended]));
    };
    const late = { ...applied, publishedAt: '2026-12-01T00:00:00.000Z' };
    const ended = aFact('cancelled', { publishedAt: '2026-12-01T00:00:01.000Z', causedBy: 'debtor' });
    await during({ ...accepts, lookUpAgreement }, async () => {
      const handle = await anActiveOne();
      await handle.executeUpdate(requestAction, { args: [amendment()] });
      await untilAgreement(handle, ({ awaiting }) => awaiting.what === 'amendment-decision');
      await handle.signal(agreementFact, ended);
      expect(await handle.result()).toMatchObject({
        state: 'cancelled',
        actions: [{ kind: 'amendment', stage: 'done' }],
      });
      expect(looks).toBe(1);
    });
  });

  test('takes the action with it where the look says no more of it', async () => {
    const ended = aFact('cancelled', { publishedAt: '2026-12-01T00:00:00.000Z', causedBy: 'debtor' });
    const lookUpAgreement: Activities['lookUpAgreement'] = ({ uid }) =>
      Promise.resolve(agreementLook(uid, 'cancelled', [ended]));
    await during({ ...accepts, lookUpAgreement }, async () => {
      const handle = await anActiveOne();
      await handle.executeUpdate(requestAction, { args: [amendment()] });
      await untilAgreement(handle, ({ awaiting }) => awaiting.what === 'amendment-decision');
      await handle.signal(agreementFact, ended);
      expect(await handle.result()).toMatchObject({
        actions: [{ stage: 'failed', failure: { code: 'agreement_final' } }],
      });
    });
  });
});

describe('a command that is on its way', () => {
  test('is seen through before anything is looked at, and sent once', async () => {
    let sent = 0;
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const actOnAgreement: Activities['actOnAgreement'] = async () => {
      sent += 1;
      await answered;
      return { outcome: 'accepted' };
    };
    const strange = aFact('levitated');
    const lookUpAgreement: Activities['lookUpAgreement'] = ({ uid }) =>
      Promise.resolve(agreementLook(uid, 'active', [strange]));
    await during({ ...created, actOnAgreement, lookUpAgreement }, async () => {
      const handle = await anActiveOne();
      await handle.executeUpdate(requestAction, { args: [suspension()] });
      await eventually(() => Promise.resolve(sent), (count) => count === 1); // prettier-ignore
      await handle.signal(agreementFact, strange);
      await handle.executeUpdate(lookUpNow);
      await untilAgreement(handle, ({ factCount }) => factCount === 3);
      answer();
      await untilAgreement(handle, ({ awaiting }) => awaiting.what === 'action-outcome');
      expect(sent).toBe(1);
    });
  });

  test('does not wait for looks, though two callers ask for them without pause', async () => {
    let send: () => void = () => undefined;
    let isSent = false;
    const sent = new Promise<void>((resolve) => (send = resolve)).then(() => (isSent = true));
    const actOnAgreement: Activities['actOnAgreement'] = () => {
      send();
      return Promise.resolve({ outcome: 'accepted' });
    };
    const lookUpAgreement: Activities['lookUpAgreement'] = async ({ uid }) => {
      await sent;
      return agreementLook(uid, 'active');
    };
    await during({ ...created, actOnAgreement, lookUpAgreement }, async () => {
      const handle = await anActiveOne();
      const looking = async (): Promise<void> => {
        while (!isSent) await handle.executeUpdate(lookUpNow);
      };
      const callers = [looking(), looking()];
      await untilAgreement(handle, ({ awaiting }) => awaiting.what === 'look-up');
      await handle.executeUpdate(requestAction, { args: [suspension()] });
      await Promise.all(callers);
      await untilAgreement(handle, ({ awaiting }) => awaiting.what === 'action-outcome');
    });
  });

  test('does not wait for what is looked at again and again, since nobody explains it', async () => {
    const lookUpAgreement: Activities['lookUpAgreement'] = ({ uid }) =>
      Promise.resolve(agreementLook(uid, 'active'));
    await during({ ...accepts, lookUpAgreement }, async () => {
      const handle = await anActiveOne();
      await handle.signal(agreementFact, aFact('levitated'));
      await untilAgreement(handle, ({ awaiting }) => awaiting.what === 'look-up');
      await handle.executeUpdate(requestAction, { args: [suspension()] });
      await untilAgreement(handle, ({ actions }) => actions[0]?.stage === 'accepted');
      expect(await handle.query(getAgreement)).toMatchObject({ awaiting: { what: 'look-up' } });
    });
  });

  test('that nobody answers lets a look through every ten minutes, and is passed on again', async () => {
    let isAway = true;
    const actOnAgreement: Activities['actOnAgreement'] = () =>
      isAway
        ? Promise.reject(ApplicationFailure.create({ type: 'unavailable', nextRetryDelay: '4m' }))
        : Promise.resolve({ outcome: 'accepted' });
    const lookUpAgreement: Activities['lookUpAgreement'] = ({ uid }) => {
      isAway = false;
      return Promise.resolve(agreementLook(uid, 'active'));
    };
    await during({ ...created, actOnAgreement, lookUpAgreement }, async () => {
      const handle = await anActiveOne();
      await handle.executeUpdate(requestAction, { args: [suspension()] });
      await skipTime(temporal.client, handle.workflowId);
      await untilAgreement(handle, ({ actions }) => actions[0]?.stage === 'accepted');
    });
  });
});

describe('a watch', () => {
  test('measures what is new by what moved the agreement since the last look', async () => {
    const measures: string[] = [];
    const watchAgreement: Activities['watchAgreement'] = ({ shown }) => {
      measures.push(shown);
      return Promise.reject(nothingNew('50h'));
    };
    const lookUpAgreement: Activities['lookUpAgreement'] = ({ uid }) =>
      Promise.resolve(agreementLook(uid, 'active'));
    await during({ ...accepts, watchAgreement, lookUpAgreement }, async () => {
      const handle = await anActiveOne();
      await handle.signal(agreementDiffers);
      await untilAgreement(handle, ({ awaiting }) => awaiting.what === 'nothing');
      await handle.executeUpdate(requestAction, { args: [amendment()] });
      await untilAgreement(handle, ({ awaiting }) => awaiting.what === 'amendment-decision');
      await expect.poll(() => measures.at(-1)).toBe('active');
      await handle.signal(agreementFact, aFact('suspended', { causedBy: 'debtor' }));
      await expect.poll(() => measures.at(-1), { timeout: 20_000 }).toBe('suspended');
    });
  });
});
