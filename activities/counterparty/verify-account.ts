import { outcomeOfResult, type Verified } from '../../domain/counterparty/verification.js';
import { callOnce } from '../resource/submit-once.js';
import type { Payer } from '../../domain/agreement/payer.schema.js';
import type { AccountRequest } from '../../domain/counterparty/request.schema.js';
import type { Call, PaymentsApi } from '../../payments-api/client.js';
import type { Dependencies } from '../dependencies.js';
import type { Ref } from '../resource/snapshot.js';

export interface VerifyAccountArgs extends Ref {
  check: 'account_validation' | 'alias_resolution';
  /** The uid of this try at the provider. */
  reference: string;
  account: Pick<AccountRequest, 'account_identifier' | 'party_name'>;
  payer?: Payer | undefined;
}

/** Makes one attempt under its own reference. For another try, the workflow uses a new reference. */
export const verifyAccountActivity =
  (deps: Dependencies) =>
  (args: VerifyAccountArgs): Promise<Verified> =>
    callOnce(deps, args.connectionId, (call) =>
      args.check === 'alias_resolution'
        ? resolved(deps.payments, args, call)
        : validated(deps.payments, args, call),
    );

/** Only status 200 confirms the PayID. */
async function resolved(
  payments: Pick<PaymentsApi, 'resolveAlias'>,
  { account, payer }: VerifyAccountArgs,
  call: Call,
): Promise<Verified> {
  if (payer === undefined) throw new Error('no payer given; expected the person who resolves the PayID');
  const requester = { id: payer.requester_id, remote_ip: payer.remote_ip };
  const { display_name: name } = await payments.resolveAlias(
    { ...account.account_identifier, requester },
    call,
  );
  return { outcome: 'resolved', name: name ?? undefined };
}

/** If no person is named as the requester, the connection is. */
async function validated(
  payments: Pick<PaymentsApi, 'validateAccount'>,
  { connectionId, reference, account, payer }: VerifyAccountArgs,
  call: Call,
): Promise<Verified> {
  const { account_identifier, party_name } = account;
  if (party_name === undefined) throw new Error("expected party_name, the account holder's name");
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
