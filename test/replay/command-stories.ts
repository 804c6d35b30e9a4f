// The lives of agreements of which something is asked, and of those whose deadlines come.
import {
  agreementDiffers,
  agreementFact,
  lookUpNow,
  requestAction,
  resolveAttention,
} from '../../workflows/agreement/contract.js';
import { aFact } from '../support/facts.js';
import { fastForward } from '../support/temporal.js';
import { A_MANDATE, fetchedAgreement, failure } from '../support/workflows/provider.js';
import { startAgreement } from '../support/workflows/starting.js';
import {
  AMEND,
  A_DAY,
  CANCEL,
  SUSPEND,
  TAKES_ALL,
  asked,
  atRest,
  living,
  onceFailing,
  showing,
  until,
} from './lives.js';
import type { Activities } from '../../activities/index.js';
import type { Ask } from '../../domain/action.js';
import type { Fact } from '../../domain/fact.js';
import type { Stories, Story } from './story.js';

const REACTIVATE: Ask = { kind: 'reactivation', body: {} };
const RECALL: Ask = { kind: 'amendment_recall', body: {} };
const lookUps = (state: string): Pick<Activities, 'lookUpAgreement'> => ({ lookUpAgreement: showing(state) });

/** An agreement with a deadline, moved on past it. */
const waited = (
  mandate: object,
  seconds: number,
  activities: Partial<Activities>,
  active: boolean,
): Story => ({
  activities: { ...TAKES_ALL, ...activities },
  live: async (temporal) => {
    const handle = await startAgreement(temporal, { mandate: { ...A_MANDATE, ...mandate } });
    if (active) await handle.signal(agreementFact, aFact('activated'));
    await until(handle, ({ state }) => state === (active ? 'active' : 'created'));
    await fastForward(temporal.client, handle.workflowId, seconds);
    await handle.signal(agreementFact, aFact('cancelled'));
    await handle.result();
    return [handle];
  },
});

const inDays = (days: number): string => new Date(Date.now() + days * A_DAY * 1000).toISOString();

const AMENDED = happeningOnce('amended');

export const COMMAND_STORIES: Stories = {
  'command-suspended-and-resumed': living({}, async (handle) => {
    await asked(handle, SUSPEND, 'suspended');
    await asked(handle, REACTIVATE, 'reactivated');
  }),
  'command-cancelled': {
    activities: TAKES_ALL,
    live: async (temporal) => {
      const handle = await startAgreement(temporal);
      await handle.signal(agreementFact, aFact('activated'));
      await until(handle, atRest);
      await asked(handle, CANCEL);
      await handle.signal(agreementFact, aFact('cancelled', { causedBy: 'initiator' }));
      await handle.result();
      return [handle];
    },
  },
  'command-cancelled-before-the-payer-decided': {
    activities: TAKES_ALL,
    live: async (temporal) => {
      const handle = await startAgreement(temporal);
      await until(handle, ({ state }) => state === 'created');
      await asked(handle, CANCEL);
      await handle.signal(agreementFact, aFact('cancelled', { causedBy: 'initiator' }));
      await handle.result();
      return [handle];
    },
  },
  'command-failed': living({}, (handle) => asked(handle, SUSPEND, 'suspension_failed')),
  'command-cancellation-failed': living({}, (handle) => asked(handle, CANCEL, 'cancellation_failed')),
  'command-reactivation-failed': living({}, async (handle) => {
    await asked(handle, SUSPEND, 'suspended');
    await asked(handle, REACTIVATE, 'reactivation_failed');
  }),
  'command-refused': living(
    { sendCommand: () => Promise.reject(failure('rejected', ['ZPUNP00'])) },
    async (handle) => {
      await handle.executeUpdate(requestAction, { args: [{ key: 'key-1', ask: SUSPEND }] });
      await until(handle, ({ actions }) => actions[0]?.stage === 'refused');
    },
  ),
  'command-found-by-the-watch': living(
    {
      watchAgreement: ({ uid, answers }) =>
        answers === undefined
          ? new Promise(() => undefined)
          : Promise.resolve(
              fetchedAgreement(uid, 'suspended', [
                aFact('suspended', { source: 'history', causedBy: 'initiator' }),
              ]),
            ),
    },
    async (handle) => {
      await handle.executeUpdate(requestAction, { args: [{ key: 'key-1', ask: SUSPEND }] });
      await until(handle, ({ state }) => state === 'suspended');
    },
  ),
  'amendment-applied': living({ lookUpAgreement: lookUpWith(AMENDED) }, async (handle) => {
    await asked(handle, AMEND);
    await handle.signal(agreementFact, AMENDED.fact());
    await until(handle, ({ pending, awaiting }) => pending.length === 0 && awaiting.what === 'nothing');
  }),
  'amendment-declined': living({}, (handle) => asked(handle, AMEND, 'amendment_declined')),
  'amendment-expired': living({}, (handle) => asked(handle, AMEND, 'amendment_expired')),
  'amendment-failed': living({}, (handle) => asked(handle, AMEND, 'amendment_failed')),
  'amendment-recalled': living({}, async (handle) => {
    await asked(handle, AMEND);
    await asked(handle, RECALL, 'amendment_recalled');
  }),
  'amendment-recall-failed': living({}, async (handle) => {
    await asked(handle, AMEND);
    await asked(handle, RECALL);
    await handle.signal(agreementFact, aFact('amendment_recall_failed'));
    await until(handle, ({ pending }) => pending.length === 1);
  }),
  'amendment-under-way-at-the-end': living({}, (handle) => asked(handle, AMEND)),
  'deadline-of-the-resolution': waited(
    { resolution_requested_before: inDays(1) },
    A_DAY + 600,
    lookUps('created'),
    false,
  ),
  'deadline-of-the-validity': waited(
    { validity_end_date: inDays(2).slice(0, 10) },
    4 * A_DAY,
    lookUps('active'),
    true,
  ),
  'looked-up-by-an-operator': living(lookUps('active'), async (handle) => {
    await handle.executeUpdate(lookUpNow);
    await until(handle, atRest);
  }),
  'looked-up-for-a-difference': living(lookUps('active'), async (handle) => {
    await handle.signal(agreementDiffers);
    await until(handle, atRest);
  }),
  'attention-resolved': living(
    { lookUpAgreement: onceFailing(failure('rejected', ['X']), showing('active')) },
    async (handle) => {
      await handle.executeUpdate(lookUpNow);
      await until(handle, ({ attention }) => attention.some(({ code }) => code === 'conflict'));
      await handle.executeUpdate(resolveAttention, {
        args: [{ key: 'case-1', code: 'conflict', reason: 'mended', by: 'ops' }],
      });
      await until(handle, atRest);
    },
  ),
};

/** A fact that the provider's history holds too: made when it happens, so that it comes after what came before. */
function happeningOnce(type: string): { fact: () => Fact } {
  let fact: Fact | undefined;
  return { fact: () => (fact ??= aFact(type, { causedBy: 'initiator' })) };
}

function lookUpWith(happened: { fact: () => Fact }): Activities['lookUpAgreement'] {
  return ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'active', [happened.fact()]));
}
