// A float account or one of its entries by id, or the 404 for there being none: in a sentence, as core resources do.
import type { Engine } from '../engine.js';
import { entriesOf } from './float-entries.js';
import type { FloatAccount, FloatEntry } from './float-account.schema.js';
import { refuseInASentence } from '../http/refusal.js';

export function findFloatAccount({ store }: Engine, id: string): FloatAccount {
  const account = store.floatAccounts.get(id);
  if (account !== undefined) return account;
  throw refuseInASentence(404, `There is no float account ${id}`);
}

/** One that is older than what is kept (24 months) is not found either. */
export function findFloatEntry(engine: Engine, account: FloatAccount, id: string): FloatEntry {
  const entry = entriesOf(engine, account).find((it) => it.id === id);
  if (entry !== undefined) return entry;
  throw refuseInASentence(404, `Float account ${account.id} has no entry ${id}`);
}
