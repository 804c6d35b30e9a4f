import { agreementFact } from '../../workflows/agreement/contract.js';
import { aFact } from '../support/facts.js';
import { fetchedAgreement } from '../support/workflows/provider.js';
import { AMEND, requested, living, until } from './lives.js';
import type { Activities } from '../../activities/index.js';
import type { Fact } from '../../domain/facts/fact.js';
import type { Scripts } from './script.js';

const AMENDED = happeningOnce('amended');

export const COMMAND_SCRIPTS: Scripts = {
  'amendment-applied': living({ lookUpAgreement: lookUpWith(AMENDED) }, async (handle) => {
    await requested(handle, AMEND);
    await handle.signal(agreementFact, AMENDED.fact());
    await until(handle, ({ pending, awaiting }) => pending.length === 0 && awaiting.what === 'nothing');
  }),
};

function happeningOnce(type: string): { fact: () => Fact } {
  let fact: Fact | undefined;
  return { fact: () => (fact ??= aFact(type, { causedBy: 'initiator' })) };
}

function lookUpWith(happened: { fact: () => Fact }): Activities['lookUpAgreement'] {
  return ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'active', [happened.fact()]));
}
