// The business rules for a new counterparty. No document gives their codes: each is a fault of a field, 422 ZPUNP00.
import type { Engine } from '../engine.js';
import { refuseByCode } from '../http/refusal.js';
import { primaryClient } from './client-records.js';
import type { CreateCounterparty } from './create-counterparty.schema.js';

interface Case {
  request: CreateCounterparty;
  nowMs: number;
  /** The account's own client. Which client a counterparty is for, no field says. */
  isHighRisk: boolean;
  isTaken: (uid: string) => boolean;
}

/** What is wrong, or undefined when nothing is. */
type Rule = (it: Case) => string | undefined;

const RULES: readonly Rule[] = [
  // Documented: required of high-risk PayTo clients.
  ({ isHighRisk, request: { identity } }) =>
    isHighRisk && identity == null ? 'identity: is required of a high-risk client' : undefined,
  ({ isHighRisk, request: { payment_accounts } }) => {
    const index = payment_accounts.findIndex(({ verification }) => verification == null);
    return isHighRisk && index !== -1
      ? `payment_accounts.${index}.verification: is required of a high-risk client`
      : undefined;
  },
  ({ nowMs, request }) => {
    const late = timesOf(request).find((time) => Date.parse(time) > nowMs);
    return late === undefined ? undefined : `verified_at: ${late} is still to come`;
  },
  ({ isTaken, request: { payment_accounts } }) => {
    const uids = payment_accounts.flatMap(({ uid }) => uid ?? []);
    const twice = uids.find((uid, index) => isTaken(uid) || uids.indexOf(uid) !== index);
    return twice === undefined ? undefined : `payment_accounts: uid ${twice} is taken`;
  },
];

export function checkCounterparty(engine: Engine, request: CreateCounterparty): void {
  const it: Case = {
    request,
    nowMs: engine.clock.now(),
    isHighRisk: primaryClient(engine).risk_level === 'high',
    isTaken: (uid) => engine.store.paymentAccounts.has(uid),
  };
  for (const rule of RULES) {
    const wrong = rule(it);
    if (wrong !== undefined) throw refuseByCode('ZPUNP00', wrong);
  }
}

function timesOf({ identity, payment_accounts }: CreateCounterparty): string[] {
  const verifications = [identity?.verification, ...payment_accounts.map(({ verification }) => verification)];
  return verifications.flatMap((verification) => verification?.verified_at ?? []);
}
