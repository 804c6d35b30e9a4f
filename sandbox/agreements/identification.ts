// POST A/add_identification: adds the missing client and payment account to an agreement of an earlier version.
import { operation } from '../calls/operation.js';
import { clientMatches, clientToIdentify } from '../clients/initiator.js';
import { paymentAccount } from '../clients/records.js';
import type { Engine } from '../engine/parts.js';
import { refuse, refuseInDetail } from '../http/refusal.js';
import { isAtLeast, parseInVersion } from '../http/request.js';
import type { Agreement } from '../store/agreement.schema.js';
import { formatAgreement } from './formatter.js';
import { isSameAccount } from './parties.js';
import { AddIdentification } from './request.schema.js';
import { findAgreement, isFinal, recordChange } from './states.js';

export const addIdentification = operation(
  {
    name: 'add_identification',
    method: 'POST',
    path: '/payto/agreements/:uid/add_identification',
    scope: 'pay_to_agreements',
  },
  ({ uid, body, version, path }, engine) => {
    if (!isAtLeast(version, '20260901')) {
      throw refuse(404, 'Not Found', `There is no POST ${path} in version ${version}`);
    }
    const asked = parseInVersion(AddIdentification, body, version);
    const agreement = findAgreement(engine, uid);
    check(engine, agreement, asked);
    add(engine, agreement, asked);
    // The documents do not describe the answer. We return 200 with the updated agreement.
    return { status: 200, body: { data: formatAgreement(agreement, engine.settings.baseUrl, version) } };
  },
);

/** The rules of docs/provider.md#identification. The only documented code is ZCLT05. */
function check(engine: Engine, agreement: Agreement, asked: AddIdentification): void {
  if (isFinal(agreement)) {
    throw refuseInDetail('ZPUNP00', `agreement ${agreement.uid} is ${agreement.state}, which is final`);
  }
  if (asked.initiator !== undefined) checkClient(engine, agreement, asked.initiator.client_id);
  if (asked.debtor !== undefined) checkAccount(engine, agreement, asked.debtor.payment_account_uid);
}

function checkClient(engine: Engine, { initiator }: Agreement, clientId: string): void {
  if (initiator.client_id !== null) {
    throw refuseInDetail('ZPUNP00', 'initiator.client_id: has already been added and cannot be changed');
  }
  clientToIdentify(engine, clientId);
  if (!clientMatches(engine, clientId, initiator)) {
    const detail = 'initiator.client_id: its registered details do not match the initiator of the agreement';
    throw refuseInDetail('ZPUNP00', detail);
  }
}

function checkAccount(engine: Engine, { debtor }: Agreement, accountUid: string): void {
  if (debtor.payment_account_uid !== null) {
    throw refuseInDetail(
      'ZPUNP00',
      'debtor.payment_account_uid: has already been added and cannot be changed',
    );
  }
  const account = paymentAccount(engine, accountUid);
  if (account === undefined) {
    throw refuseInDetail('ZPUNP00', `debtor.payment_account_uid: there is no payment account ${accountUid}`);
  }
  if (!isSameAccount(account.account_identifier, debtor.account_identifier)) {
    throw refuseInDetail('ZPUNP00', 'debtor.payment_account_uid: does not match the debtor account');
  }
}

/** Adds every requested field. If a request breaks a rule, nothing is added. */
function add(engine: Engine, agreement: Agreement, { initiator, debtor }: AddIdentification): void {
  if (initiator !== undefined) agreement.initiator.client_id = initiator.client_id;
  if (debtor !== undefined) agreement.debtor.payment_account_uid = debtor.payment_account_uid;
  recordChange(engine, agreement, { subject: 'payto_agreement_identification', from: null, to: 'added' });
}
