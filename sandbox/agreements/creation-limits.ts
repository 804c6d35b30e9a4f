// How many agreements may be asked for in 24 hours, for one debtor account and by one account of ours (facts 14).
import type { Engine } from '../engine.js';
import type { AccountIdentifier } from '../entities.schema.js';
import { refuseByCode } from '../http/refusal.js';

const WINDOW_MS = 24 * 60 * 60_000;

/**
 * Notes an attempt to create an agreement, or refuses it with ZPAGR15 or ZPAGR16. Attempts count, so those that a rule
 * refuses afterwards do too. Those refused here count no further, nor does a uid that exists: no document says either.
 */
export function countAttempt(engine: Engine, uid: string, debtor: AccountIdentifier): void {
  const { store, clock, settings } = engine;
  const since = clock.now() - WINDOW_MS;
  const account = `${debtor.type}:${debtor.value}`;
  const recent = (store.creationAttempts.get(account) ?? []).filter((at) => at > since);
  const { agreements_per_debtor_per_day: perDebtor, agreements_per_account_per_day: perAccount } =
    settings.limits;
  if (recent.length >= perDebtor) {
    const detail = `${perDebtor} agreements have been asked for with this debtor account in 24 hours`;
    throw refuseByCode('ZPAGR15', detail, uid);
  }
  if (createdSince(engine, since) >= perAccount) {
    throw refuseByCode('ZPAGR16', `${perAccount} agreements have been created in 24 hours`, uid);
  }
  store.creationAttempts.set(account, [...recent, clock.now()]);
  store.touch();
}

function createdSince({ store }: Engine, sinceMs: number): number {
  const since = new Date(sinceMs).toISOString();
  let count = 0;
  for (const { created_at } of store.agreements.values()) if (created_at > since) count += 1;
  return count;
}
