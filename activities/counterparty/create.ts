import { PaymentsApiError } from '../../payments-api/errors.js';
import { submitOnce } from '../resource/submit-once.js';
import type { Registration, CounterpartySnapshot } from '../../domain/counterparty/lifecycle.js';
import type { Counterparty } from '../../payments-api/answers/resources.schema.js';
import type { Dependencies } from '../dependencies.js';
import type { Ref } from '../resource/snapshot.js';

/** The provider offers no way to read a counterparty later, so this answer is all that we ever know. */
export const createCounterpartyActivity =
  (deps: Dependencies) =>
  ({ uid, connectionId, registration }: Ref & { registration: Registration }) =>
    submitOnce(deps, connectionId, (call) =>
      deps.payments.createCounterparty(registration, call).then(
        (answer) => counterpartyIn(answer, uid, registration),
        (error: unknown) => takenOrRefused(error, uid, registration),
      ),
    );

/** The counterparty as registered. If the provider assigned its own account uids, those are used. */
function counterpartyIn(
  { id, uid: otherId, payment_accounts: answered }: Counterparty,
  uid: string,
  { payment_accounts: requested }: Registration,
): CounterpartySnapshot {
  const accountUids = requested.map(({ uid: given, account_identifier: { type, value } }) => {
    const same = answered?.find(({ account_identifier: one }) => one?.type === type && one.value === value);
    return same?.uid ?? given;
  });
  return { uid, state: 'registered', counterpartyId: id ?? otherId ?? undefined, accountUids };
}

/**
 * We derive the account uids from the counterparty's uid. A taken uid therefore means that the provider accepted an earlier submission.
 * Only the provider's code counts as proof, never its message.
 */
function takenOrRefused(
  error: unknown,
  uid: string,
  { payment_accounts: requested }: Registration,
): CounterpartySnapshot {
  const isTaken =
    error instanceof PaymentsApiError &&
    error.code === 'rejected' &&
    error.refusals.some(({ means }) => means === 'duplicate_uid');
  if (!isTaken) throw error;
  return { uid, state: 'registered', accountUids: requested.map((account) => account.uid), isTaken };
}
