// The lives of agreements of which something is asked, and of those whose deadlines come.
import {
  agreementDiffers, agreementFact, getAgreement, lookUpNow, requestAction, resolveAttention,
} from '../../workflows/agreement/contract.js'; // prettier-ignore
import { aFact } from '../domain/facts.js';
import { eventually, fastForward } from '../support/temporal.js';
import { A_MANDATE, agreementLook, failure } from '../workflows/provider.js';
import { startAgreement } from '../workflows/starting.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { Activities } from '../../activities/index.js';
import type { Ask } from '../../domain/action.js';
import type { Fact } from '../../domain/fact.js';
import type { AgreementView } from '../../workflows/agreement/contract.js';
import type { Stories, Story } from './story.js';

const A_DAY = 86_400;
const WHY = { reason: 'initiating_party_requested', narrative: 'As agreed' };
const SUSPEND: Ask = { kind: 'suspension', body: WHY };
const REACTIVATE: Ask = { kind: 'reactivation', body: {} };
const CANCEL: Ask = { kind: 'cancellation', body: WHY };
const AMEND: Ask = { kind: 'amendment', body: { changes: { payment_terms: { max_amount: 40_000 } } } };
const RECALL: Ask = { kind: 'amendment_recall', body: {} };

const created: Activities['createAgreement'] = ({ uid }) => Promise.resolve(agreementLook(uid, 'created'));
const accepts = {
  createAgreement: created,
  actOnAgreement: () => Promise.resolve({ outcome: 'accepted' } as const),
};
const looks = (state: string): Pick<Activities, 'lookUpAgreement'> => ({
  lookUpAgreement: ({ uid }) => Promise.resolve(agreementLook(uid, state)),
});

const until = (handle: WorkflowHandle, isIt: (view: AgreementView) => boolean) =>
  eventually(() => handle.query(getAgreement), isIt);
const atRest = ({ awaiting, state }: AgreementView): boolean =>
  awaiting.what === 'nothing' && state === 'active';

/** What happens to an active agreement before the payer cancels it. */
const living = (
  activities: Partial<Activities>,
  live: (handle: WorkflowHandle) => Promise<unknown>,
): Story => ({
  activities: { ...accepts, ...activities },
  live: async (temporal) => {
    const handle = await startAgreement(temporal);
    await handle.signal(agreementFact, aFact('activated'));
    await until(handle, atRest);
    await live(handle);
    await handle.signal(agreementFact, aFact('cancelled', { causedBy: 'debtor' }));
    await handle.result();
    return [handle];
  },
});

/** Asks, and is told what came of it once the provider has taken it. */
async function asked(handle: WorkflowHandle, ask: Ask, ...answers: string[]): Promise<void> {
  await handle.executeUpdate(requestAction, { args: [{ key: `key-${ask.kind}`, ask }] });
  await until(handle, ({ pending }) => pending.every(({ isAccepted }) => isAccepted));
  for (const type of answers) await handle.signal(agreementFact, aFact(type, { causedBy: 'initiator' }));
  if (answers.length > 0) await until(handle, ({ pending }) => pending.length === 0);
}

/** An agreement with a deadline, moved on past it. */
const waited = (
  mandate: object,
  seconds: number,
  activities: Partial<Activities>,
  active: boolean,
): Story => ({
  activities: { ...accepts, ...activities },
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

const AMENDED = happening('amended');

export const COMMAND_STORIES: Stories = {
  'command-suspended-and-resumed': living({}, async (handle) => {
    await asked(handle, SUSPEND, 'suspended');
    await asked(handle, REACTIVATE, 'reactivated');
  }),
  'command-cancelled': {
    activities: accepts,
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
    activities: accepts,
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
    { actOnAgreement: () => Promise.reject(failure('rejected', ['ZPUNP00'])) },
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
              agreementLook(uid, 'suspended', [
                aFact('suspended', { source: 'history', causedBy: 'initiator' }),
              ]),
            ),
    },
    async (handle) => {
      await handle.executeUpdate(requestAction, { args: [{ key: 'key-1', ask: SUSPEND }] });
      await until(handle, ({ state }) => state === 'suspended');
    },
  ),
  'amendment-applied': living({ lookUpAgreement: lookWith(AMENDED) }, async (handle) => {
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
    looks('created'),
    false,
  ),
  'deadline-of-the-validity': waited(
    { validity_end_date: inDays(2).slice(0, 10) },
    4 * A_DAY,
    looks('active'),
    true,
  ),
  'looked-up-by-an-operator': living(looks('active'), async (handle) => {
    await handle.executeUpdate(lookUpNow);
    await until(handle, atRest);
  }),
  'looked-up-for-a-difference': living(looks('active'), async (handle) => {
    await handle.signal(agreementDiffers);
    await until(handle, atRest);
  }),
  'attention-resolved': living({ lookUpAgreement: firstRefused() }, async (handle) => {
    await handle.executeUpdate(lookUpNow);
    await until(handle, ({ attention }) => attention.some(({ code }) => code === 'conflict'));
    await handle.executeUpdate(resolveAttention, {
      args: [{ code: 'conflict', reason: 'mended', by: 'ops' }],
    });
    await until(handle, atRest);
  }),
};

/** A fact that the provider's history holds too: made when it happens, so that it comes after what came before. */
function happening(type: string): { fact: () => Fact } {
  let fact: Fact | undefined;
  return { fact: () => (fact ??= aFact(type, { causedBy: 'initiator' })) };
}

function lookWith(told: { fact: () => Fact }): Activities['lookUpAgreement'] {
  return ({ uid }) => Promise.resolve(agreementLook(uid, 'active', [told.fact()]));
}

/** Refused for good the first time, and never again. */
function firstRefused(): Activities['lookUpAgreement'] {
  let calls = 0;
  return ({ uid }) => {
    calls += 1;
    return calls === 1
      ? Promise.reject(failure('rejected', ['X']))
      : Promise.resolve(agreementLook(uid, 'active'));
  };
}
