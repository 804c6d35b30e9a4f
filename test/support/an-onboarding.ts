import { randomUUID } from 'node:crypto';
import { aPayment, anAgreement } from './http-stack.js';
import { A_BUSINESS } from './workflows/provider.js';

export function anOnboarding(connection: string) {
  const { uid: _agreement, ...agreement } = anAgreement();
  const { uid: _payment, ...payment } = aPayment();
  const { account_identifier, party_name } = agreement.debtor;
  if (account_identifier === undefined || party_name === undefined)
    throw new Error('expected a debtor with a name and an account');
  return {
    id: `onb-${randomUUID()}`,
    connection,
    client: {
      uid: `cli-${randomUUID()}`,
      ...A_BUSINESS,
    },
    counterparty: {
      payment_accounts: [
        { account_identifier, party_name, verification: { method: 'account_validation' as const } },
      ],
    },
    agreement,
    payment: { priority: 'unattended' as const, ...payment },
  };
}
