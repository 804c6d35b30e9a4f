// The context of a scenario, and the error for an unexpected finding.
import type { LedgerEntry } from '../api/answers.schema.js';
import type { Api, TimelineFact } from '../api/client.js';
import { aPayment } from '../first-commands.js';
import type { Provider } from './provider.js';

export const CONNECTION = 'demo';
/** Longer than the provider and the API ever need until a webhook's change is visible. */
export const SOON_SECONDS = 20;

/** Prints one step as it happens, with a link to the Temporal UI. */
export type LogStep = (about: string, what: string, link?: string | null) => void;

export interface Scene {
  api: Api;
  provider: Provider;
  temporalAddress: string;
  logStep: LogStep;
}

/** A requested agreement or payment. audit.ts checks its outcome. */
export interface Intent {
  kind: 'agreement' | 'payment';
  uid: string;
  agreementUid: string;
  /** The expected final state. */
  expected: string;
}

export interface Scenario {
  uid: string;
  title: string;
  intents: Intent[];
  startedMs: number;
  /** From its start until it reached the state of the scenario. */
  seconds: number;
}

/** The expected and the actual value, and a link to the details. */
export class Difference extends Error {
  override readonly name = 'Difference';
  constructor(about: string, expected: string, met: string, link?: string | null) {
    super(`${about}: expected ${expected}, found ${met}${link ? `; see ${link}` : ''}`);
  }
}

/** One line for people if both differ, else none. */
export const differs = (
  what: string,
  expected: string | number | null,
  met: string | number | null,
): string[] => (expected === met ? [] : [`${what}: expected ${expected ?? 'none'}, found ${met ?? 'none'}`]);

/** True if the provider accepted this call about the resource. */
export const isAccepted = (entry: LedgerEntry, operation: string, uid: string): boolean =>
  entry.kind === 'call' &&
  entry.operation === operation &&
  entry.status === 201 &&
  entry.resource_uid === uid;

export const isChange = (entry: LedgerEntry, to: string, uid: string): boolean =>
  entry.kind === 'change' && entry.to === to && entry.resource_uid === uid;

/** Any workflow resource of the API. */
interface Stateful {
  state: string;
  links: { temporal_ui: string | null };
}

export function mustBe<Met extends Stateful>(about: string, expected: string, met: Met): Met {
  if (met.state !== expected) throw new Difference(about, expected, met.state, met.links.temporal_ui);
  return met;
}

/** Requests a payment and waits for its end. Returns the payment and the expectation for the audit. */
export async function pay({ api, logStep }: Scene, agreementUid: string, uid: string, amount?: number) {
  const about = `payment ${uid}`;
  const requested = await api.requestPayment(agreementUid, aPayment(uid, amount), 0);
  logStep(about, 'requested', requested.links.temporal_ui);
  const settled = mustBe(about, 'settled', await api.getPayment(uid, SOON_SECONDS));
  const intent: Intent = { kind: 'payment', uid, agreementUid, expected: 'settled' };
  return { settled, intent };
}

/** How we learned the current state of an agreement. */
export function sourceOf(facts: readonly TimelineFact[], type: string): string {
  const fact = facts.find((one) => one.type === type) ?? facts.find(({ state }) => state !== null);
  return fact?.source ?? 'unknown';
}
