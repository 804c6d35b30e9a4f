// What every scenario of the demo is given, and how it says that something is not as it should be.
import type { Api, TimelineFact } from '../api/client.js';
import { aPayment } from '../first-commands.js';
import type { Provider } from './provider.js';

export const CONNECTION = 'demo';
/** More than the provider and the API ever take for what a webhook reports at once. */
export const SOON_SECONDS = 20;

/** Prints one step as it happens, with the place in the Temporal UI where it can be seen. */
export type LogStep = (about: string, what: string, link?: string | null) => void;

export interface Scene {
  api: Api;
  provider: Provider;
  temporalAddress: string;
  logStep: LogStep;
}

/** One thing that was wanted: an agreement, or a payment under it. What came of it, audit.ts checks. */
export interface Intent {
  kind: 'agreement' | 'payment';
  uid: string;
  agreementUid: string;
  /** The state that it is to end in. */
  expected: string;
}

export interface Scenario {
  uid: string;
  title: string;
  intents: Intent[];
  startedMs: number;
  /** From its beginning until it was in the state that it is about. */
  seconds: number;
}

/** What was expected, what was met, and where to read on. */
export class Difference extends Error {
  override readonly name = 'Difference';
  constructor(about: string, expected: string, met: string, link?: string | null) {
    super(`${about}: expected ${expected}, met ${met}${link ? `; see ${link}` : ''}`);
  }
}

/** Anything that the API shows of a workflow. */
interface Stateful {
  state: string;
  links: { temporal_ui: string | null };
}

export function mustBe<Met extends Stateful>(about: string, expected: string, met: Met): Met {
  if (met.state !== expected) throw new Difference(about, expected, met.state, met.links.temporal_ui);
  return met;
}

/** Takes a payment and waits for its end. Returns how it stands and that it was wanted. */
export async function pay({ api, logStep }: Scene, agreementUid: string, uid: string, amount?: number) {
  const about = `payment ${uid}`;
  const requested = await api.requestPayment(agreementUid, aPayment(uid, amount), 0);
  logStep(about, 'requested', requested.links.temporal_ui);
  const settled = mustBe(about, 'settled', await api.getPayment(uid, SOON_SECONDS));
  const intent: Intent = { kind: 'payment', uid, agreementUid, expected: 'settled' };
  return { settled, intent };
}

/** How the state an agreement is in came to be known here. */
export function sourceOf(facts: readonly TimelineFact[], type: string): string {
  const fact = facts.find((one) => one.type === type) ?? facts.find(({ state }) => state !== null);
  return fact?.source ?? 'unknown';
}
