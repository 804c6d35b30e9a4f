// The primary client: the record of the account itself, at the top of the hierarchy (interface 2.8, 9).
import { Client } from './client.schema.js';

/**
 * Ours, for the control routes alone. No document shows an id for this record, and answers say null where they mean it,
 * so the API neither lists it nor takes an id for it.
 */
export const PRIMARY_CLIENT_ID = 'primary';

/** As it is before anything has changed it; from then on its row is in the store. */
export const PRIMARY_CLIENT: Client = Client.parse({
  id: PRIMARY_CLIENT_ID,
  legal_name: 'Sandbox Biller Pty Ltd',
  business_names: ['Sandbox Biller'],
  australian_business_number: '53004085616',
  australian_company_number: '004085616',
  merchant_category_code: '4900',
  contact_information: null,
  risk_level: 'low',
  services: { payto: 'active', rtp: 'active', de: 'active' },
});
