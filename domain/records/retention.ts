// Which resources have ended, for the retention of the records. Pure.
import { AGREEMENT_STATES } from '../agreement/events.js';
import { isFinal } from '../agreement/lifecycle.js';
import { PAYMENT_STATES, isPaymentFinal } from '../payment/lifecycle.js';
import { CREDIT_DECISIONS } from '../float/credit.js';
import { REFUND_STATES, isRefundFinal } from '../refund/lifecycle.js';

/** The states in which a resource has ended. `unknown`: the provider never knew it. Clients, counterparties and connections do not end. */
export const ENDED_STATES = {
  refund: [...REFUND_STATES.filter(isRefundFinal), 'unknown'],
  payment: [...PAYMENT_STATES.filter(isPaymentFinal), 'unknown'],
  agreement: [...AGREEMENT_STATES.filter(isFinal), 'unknown'],
  onboarding: ['done', 'abandoned'],
  batch: ['done', 'abandoned', 'incomplete'],
  notification: ['acknowledged'],
  'unmatched-credit': [...CREDIT_DECISIONS],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type ExpiringResource = keyof typeof ENDED_STATES;

export const hasEnded = (resource: ExpiringResource, state: string): boolean =>
  ENDED_STATES[resource].some((one) => one === state);

const DAY_MS = 24 * 3_600_000;
const DAYS = { d: 1, y: 365.25 } as const;

/** Reads `90d` or `7y`. @returns milliseconds; undefined for any other text. */
export function retentionIn(text: string): number | undefined {
  const [, count = '', unit] = /^([1-9]\d{0,4})([dy])$/.exec(text) ?? [];
  return unit === 'd' || unit === 'y' ? Number(count) * DAYS[unit] * DAY_MS : undefined;
}
