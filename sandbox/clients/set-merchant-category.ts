// What only the provider does to the merchant category of a client, and with it to its risk (facts 15).
import type { Engine } from '../engine.js';
import { refuseByCode } from '../http/refusal.js';
import { noteChange } from './client-ledger.js';
import { findClientRecord } from './client-records.js';
import { MerchantCategoryCode } from './client-fields.schema.js';
import { riskOf } from './risk.js';

/** Refused with 404 for an unknown client and 422 for what is no code of four digits. */
export function setMerchantCategory(engine: Engine, clientId: string, code: string): void {
  const client = findClientRecord(engine, clientId);
  if (!MerchantCategoryCode.safeParse(code).success) {
    throw refuseByCode('ZPUNP00', 'merchant_category_code: must be 4 digits');
  }
  const risk_level = riskOf(code);
  engine.store.clients.set(clientId, { ...client, merchant_category_code: code, risk_level });
  noteChange(engine, 'client', clientId, { from: `risk:${client.risk_level}`, to: `risk:${risk_level}` });
}
