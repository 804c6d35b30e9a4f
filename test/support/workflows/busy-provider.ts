// A provider in a few lines that carries out what it is asked, once, and publishes it: sometimes before its answer, sometimes after.
import { agreementFact } from '../../../workflows/agreement/contract.js';
import { aFact } from '../facts.js';
import { fetchedAgreement, only, fetchedPayment } from './provider.js';
import type { WorkflowHandle } from '@temporalio/client';
import type { Activities } from '../../../activities/index.js';
import type { ActionKind } from '../../../domain/action.js';
import type { Fact } from '../../../domain/fact.js';

export interface BusyProvider {
  activities: Activities;
  /** Every event of the agreement, sent or yet to be sent, oldest first. */
  history: Fact[];
  /** Each time that a command took effect, by what its body says. */
  effects: string[];
  /** Each submission of a payment, by uid. */
  submitted: string[];
  /** Adds an event to the history and sends it. */
  publish(type: string, causedBy?: string): Promise<Fact>;
  /** Resolves once every event has been sent. */
  quiet(): Promise<void>;
}

const OUTCOMES: Readonly<Partial<Record<ActionKind, { type: string; state: string; wrongState: string }>>> = {
  suspension: { type: 'suspended', state: 'suspended', wrongState: 'ZPSUS00' },
  reactivation: { type: 'reactivated', state: 'active', wrongState: 'ZPREA00' },
};

/** An event that moves nothing. */
export const STILL = 'amendment_declined';

export function busyProvider(newest: () => Pick<WorkflowHandle, 'signal'>): BusyProvider {
  const history: Fact[] = [];
  const effects: string[] = [];
  const submitted: string[] = [];
  const sending: Promise<unknown>[] = [];
  let state = 'active';
  const publish = async (type: string, causedBy?: string): Promise<Fact> => {
    const fact = aFact(type, { causedBy });
    history.push(fact);
    await newest().signal(agreementFact, fact);
    return fact;
  };
  // A whole history would weigh a megabyte by the end; of what moves nothing, only the newest is read.
  const fetched = (uid: string) => {
    const recent = [...history.filter(({ type }) => type !== STILL), ...history.slice(-50)];
    return fetchedAgreement(
      uid,
      state,
      recent.map((fact) => ({ ...fact, source: 'history' as const })),
    );
  };
  const sendCommand: Activities['sendCommand'] = async ({ uid, ask }) => {
    const outcome = OUTCOMES[ask.kind];
    const { narrative } = 'narrative' in ask.body ? ask.body : { narrative: ask.kind };
    if (outcome === undefined) throw new Error(`expected a pause or its end; met ${ask.kind}`);
    if (state === outcome.state)
      return { outcome: 'out_of_place', fetched: fetched(uid), code: outcome.wrongState };
    effects.push(narrative);
    state = outcome.state;
    const published = publish(outcome.type, 'initiator');
    if (effects.length % 2 === 0) await published;
    else sending.push(published);
    return { outcome: 'accepted' };
  };
  const activities = only({
    createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'created')),
    lookUpAgreement: ({ uid }) => Promise.resolve(fetched(uid)),
    sendCommand,
    submitPayment: ({ uid }) => {
      submitted.push(uid);
      return Promise.resolve(fetchedPayment(uid, 'settled'));
    },
  });
  const quiet = async (): Promise<void> => void (await Promise.all(sending));
  return { activities, history, effects, submitted, publish, quiet };
}
