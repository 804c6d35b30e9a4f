// What the control routes may change of a float account; the provider itself has no such call.
import type { Engine } from '../engine.js';
import { findFloatAccount } from './find-float-account.js';
import type { FloatAccount, PatchFloatAccount } from './float-account.schema.js';
import { moveMoney } from './move-money.js';

/** @throws Refusal 404 for an account nobody knows. */
export function patchFloatAccount(engine: Engine, id: string, patch: PatchFloatAccount): FloatAccount {
  const account = findFloatAccount(engine, id);
  const { status, available_balance: before } = account;
  account.real_time = patch.real_time ?? account.real_time;
  account.status = patch.status ?? status;
  if (account.status !== status) noteStatus(engine, account, status);
  const amount = (patch.available_balance ?? before) - before;
  if (amount !== 0) moveMoney(engine, account, { amount, description: 'Balance set by hand' });
  engine.store.touch();
  return account;
}

function noteStatus({ ledger }: Engine, { id, status }: FloatAccount, from: string): void {
  ledger.append({
    kind: 'change',
    resource_type: 'float_account',
    resource_uid: id,
    from,
    to: status,
    event_id: null,
    event_type: null,
  });
}
