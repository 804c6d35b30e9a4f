// Ready-to-paste commands: the first connection, agreement and payment.
import { randomBytes } from 'node:crypto';
import type { AgreementBody, PaymentBody } from './api/client.js';
import type { StartOnboarding } from '../client/create.js';

export interface Target {
  apiUrl: string;
  /** The key itself, or a shell variable. */
  apiKey: string;
}

/** A unique uid. */
export const freshUid = (kind: string): string => `${kind}-${randomBytes(5).toString('hex')}`;

/** The body of a valid agreement; `given` overrides the defaults. */
export const anAgreement = (given: {
  uid: string;
  connection: string;
  description: string;
}): AgreementBody => ({
  ...given,
  purpose: 'utility',
  debtor: { party_name: 'A Payer', account_identifier: { type: 'bban', value: '200001-12340001' } },
  creditor: {
    party_name: 'Sandbox Biller',
    ultimate_party_name: 'Sandbox Biller',
    account_identifier: { type: 'bban', value: '200002-55550001' },
  },
  payment_terms: { type: 'variable', frequency: 'adhoc', max_amount: 25_000 },
});

/** The body of a payment that such an agreement allows. */
export const aPayment = (uid: string, amount = 4_200): PaymentBody => ({
  uid,
  amount,
  reference: uid,
  description: 'October',
  creditor_reference: 'C-5',
});

/** A complete onboarding: a new business, its payer, their agreement and the first payment. */
export function anOnboarding(id: string, connection: string): StartOnboarding {
  const {
    uid,
    connection: _,
    ...agreement
  } = anAgreement({
    uid: `${id}-agreement`,
    connection,
    description: 'Membership',
  });
  return {
    id,
    connection,
    client: {
      uid: `${id}-client`,
      type: 'business',
      legal_name: 'Corner Gym Pty Ltd',
      business_names: ['Corner Gym'],
      registered_address: '1 Gym Street, Sydney NSW 2000',
      website_url: 'https://gym.example',
      business_registration_date: '2019-07-01',
      australian_business_number: '53004085616',
      merchant_category_code: '7997',
      services: ['payto'],
    },
    counterparty: {
      uid: `${id}-counterparty`,
      payment_accounts: [
        {
          account_identifier: { type: 'bban', value: '200001-12340001' },
          party_name: 'A Payer',
          verification: { method: 'account_validation' },
        },
      ],
    },
    agreement: { ...agreement, uid },
    payment: { priority: 'unattended', ...aPayment(`${id}-payment`) },
  };
}

/** Creates an agreement and waits for the payer. */
export const agreementCommand = (to: Target, uid: string, connection: string): string =>
  post(to, '/v1/agreements?wait=10', anAgreement({ uid, connection, description: 'Plan 77' }));

/** Requests a payment under it and waits for its end. */
export const paymentCommand = (to: Target, agreementUid: string, uid: string): string =>
  post(to, `/v1/agreements/${agreementUid}/payments?wait=10`, aPayment(uid));

/** Creates a connection; a person consents at the returned authorize_url. */
export const connectionCommand = (to: Target, id: string): string => post(to, '/v1/connections', { id });

/** The key is in double quotes, so that the shell expands a variable. */
function post({ apiUrl, apiKey }: Target, path: string, body: object): string {
  return [
    `curl -sS '${apiUrl}${path}' -H "Authorization: Bearer ${apiKey}" -H 'Content-Type: application/json'`,
    `-d '${JSON.stringify(body)}'`,
  ].join(' \\\n    ');
}
