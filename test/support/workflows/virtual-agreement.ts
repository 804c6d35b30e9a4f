import { expect } from 'vitest';
import { aFact } from '../facts.js';
import { fetchedAgreement, nothingNew } from './provider.js';
import { inVirtualTime, SECOND } from './virtual.js';
import type { Activities } from '../../../activities/index.js';
import type { ActionRequest } from '../../../domain/agreement/action.js';
import type { AgreementState } from '../../../workflows/agreement/state.js';
import type { Fetched } from '../../../domain/facts/snapshot.js';
import type { AgreementSnapshot } from '../../../domain/agreement/lifecycle.js';

const WHY = { reason: 'customer_requested', narrative: 'As asked' } as const;
export const ask = (kind: 'suspension' | 'cancellation', key = 'k'): ActionRequest => ({
  key,
  command: { kind, body: WHY },
});
export const bare = (kind: 'reactivation' | 'amendment_recall', key: string): ActionRequest => ({
  key,
  command: { kind, body: {} },
});
export const change = (key: string): ActionRequest => ({
  key,
  command: { kind: 'amendment', body: { changes: { payment_terms: { max_amount: 40_000 } } } },
});
export const stages = ({ actions }: Pick<AgreementState, 'actions'>) => actions.map(({ stage }) => stage);

export async function anActiveOne(given: Partial<Activities> = {}) {
  const sent: string[] = [];
  const sendCommand = given.sendCommand ?? (() => Promise.resolve({ outcome: 'accepted' } as const));
  const scene = inVirtualTime({
    createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'created')),
    ...given,
    sendCommand: (args) => {
      sent.push(args.command.kind);
      return sendCommand(args);
    },
  });
  const agr = await scene.agreement();
  await agr.receive(aFact('activated'));
  expect(agr.view()).toMatchObject({ state: 'active', awaiting: { what: 'nothing' } });
  return { scene, agr, sent };
}

export async function pending(show: (uid: string) => Fetched<AgreementSnapshot>) {
  const lookUps: number[] = [];
  const scene = inVirtualTime({
    createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'created')),
    lookUpAgreement: ({ uid }) => {
      lookUps.push((Date.parse(scene.now()) - begunMs) / SECOND);
      return Promise.resolve(show(uid));
    },
    watchAgreement: () => Promise.reject(nothingNew('500h')),
  });
  const begunMs = Date.parse(scene.now());
  return { scene, lookUps, agr: await scene.agreement() };
}
