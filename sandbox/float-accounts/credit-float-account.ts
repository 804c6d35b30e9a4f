// A settled payment whose creditor is a float account is money in that account. Any other creditor banks elsewhere.
import type { Engine } from '../engine.js';
import { floatAccountAt } from './float-account-at.js';
import { moveMoney } from './move-money.js';
import type { AccountIdentifier } from '../entities.schema.js';

interface Settled {
  uid: string;
  amount: number;
  creditor: { account_identifier: AccountIdentifier };
}

export function creditFloatAccount(engine: Engine, { uid, amount, creditor }: Settled): void {
  const account = floatAccountAt(engine.store, creditor.account_identifier);
  if (account !== undefined) moveMoney(engine, account, { amount, description: `PayTo payment ${uid}` });
}
