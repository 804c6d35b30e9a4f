import type { OnboardArgs } from '../../../activities/onboard.js';
import type { Activities } from '../../../activities/index.js';
import { isNews } from '../../../domain/onboarding/steps.js';
import type { PartName, Parts, Reading } from '../../../domain/onboarding/steps.js';
import { A_MANDATE, aClientOrder, aCounterpartyOrder, anOrder, nothingNew } from './provider.js';

/** All four; what a test leaves out it says. */
export function someParts(over: Partial<Parts> = {}) {
  const { agreement_uid: _, ...order } = anOrder('agr-1');
  const parts: Parts = {
    client: { uid: 'cli-1', order: aClientOrder(), above: [] },
    counterparty: { uid: 'cp-1', order: aCounterpartyOrder() },
    agreement: { uid: 'agr-1', mandate: A_MANDATE },
    payment: { uid: 'pay-1', order },
    ...over,
  };
  return { asked: { agreement: {} } as never, parts };
}

/** The resources as they stand, and each part as it was asked for; an attempt is made every minute, each as if it were a late one. */
export function someResources(at: Partial<Record<PartName, Reading>> = {}) {
  const seen: OnboardArgs[] = [];
  const onboard: Activities['onboard'] = (args) => {
    const { requested, step, wordRead } = args;
    if (!seen.some((one) => JSON.stringify(one.requested) === JSON.stringify(requested))) seen.push(args);
    const reading = at[requested.part];
    const isNew = reading !== undefined && isNews(step, reading, { wordRead, attempt: 9 });
    return isNew ? Promise.resolve(reading) : Promise.reject(nothingNew(60_000));
  };
  return { at, seen, onboard };
}

/** Each as it is when all goes well. */
export const ALL_WELL: Readonly<Record<PartName, Reading>> = {
  client: { state: 'active', clientId: 'cl-1' },
  counterparty: { state: 'registered', accounts: aCounterpartyOrder().payment_accounts },
  agreement: { state: 'active' },
  payment: { state: 'settled', isSent: true },
};
