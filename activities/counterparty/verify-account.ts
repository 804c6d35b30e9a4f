import { outcomeOfResult } from '../../domain/counterparty/verification.js';
import { callOnce } from '../resource/submit-once.js';
import type { Payer } from '../../domain/agreement/payer.schema.js';
import type { AccountRequest } from '../../domain/counterparty/request.schema.js';
import type { Verified } from '../../domain/counterparty/verification.js';
import type { Call, PaymentsApi } from '../../payments-api/client.js';
import type { Dependencies } from '../dependencies.js';
import type { Ref } from '../resource/snapshot.js';

export interface VerifyAccountArgs extends Ref {
  check: 'account_validation' | 'alias_resolution';
  /** The uid of this try. */
  reference: string;
  account: Pick<AccountRequest, 'account_identifier' | 'party_name'>;
  payer?: Payer | undefined;
}

/** One attempt under its own reference; the workflow starts another try under a new one. */
export const verifyAccountActivity =
  (deps: Dependencies) =>
  (args: VerifyAccountArgs): Promise<Verified> =>
    callOnce(deps, args.connectionId, (call) =>
      args.check === 'alias_resolution'
        ? resolved(deps.payments, args, call)
        : validated(deps.payments, args, call),
    );

/** Nothing but a 200 permits to go on. */
async function resolved(
  payments: Pick<PaymentsApi, 'resolveAlias'>,
  { account, payer }: VerifyAccountArgs,
  call: Call,
): Promise<Verified> {
  if (payer === undefined) throw new Error('expected to know who asks for a PayID');
  const requester = { id: payer.requester_id, remote_ip: payer.remote_ip };
  const { display_name: name } = await payments.resolveAlias(
    { ...account.account_identifier, requester },
    call,
  );
  return { outcome: 'resolved', name: name ?? undefined };
}

/** Where no person is named who asks, the connection does. */
async function validated(
  payments: Pick<PaymentsApi, 'validateAccount'>,
  { connectionId, reference, account, payer }: VerifyAccountArgs,
  call: Call,
): Promise<Verified> {
  const { account_identifier, party_name } = account;
  if (party_name === undefined) throw new Error('expected to know in whose name the account is to be');
  const requester = { id: payer?.requester_id ?? connectionId };
  const { outcome } = await payments.validateAccount(
    { uid: reference, account_identifier, party_name, requester },
    call,
  );
  const { result, match_name: name } = outcome ?? {};
  return {
    outcome: outcomeOfResult(result),
    result: result ?? undefined,
    reference,
    name: name ?? undefined,
  };
}
