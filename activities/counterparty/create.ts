import { PaymentsApiError } from '../../payments-api/errors.js';
import { submitOnce } from '../resource/submit-once.js';
import type { Registration } from '../../domain/counterparty/lifecycle.js';
import type { CounterpartySnapshot } from '../../domain/facts/snapshot.js';
import type { Counterparty } from '../../payments-api/answers/resources.schema.js';
import type { Dependencies } from '../dependencies.js';
import type { Ref } from '../resource/snapshot.js';

/** The provider shows no counterparty again: its answer here is all that is ever known. */
export const createCounterpartyActivity =
  (deps: Dependencies) =>
  ({ uid, connectionId, registration }: Ref & { registration: Registration }) =>
    submitOnce(deps, connectionId, (call) =>
      deps.payments.createCounterparty(registration, call).then(
        (answer) => counterpartyIn(answer, uid, registration),
        (error: unknown) => takenOrRefused(error, uid, registration),
      ),
    );

/** What a counterparty is once the provider has said so. Where it minted uids of accounts itself, these are theirs. */
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

/** The uids are made of this counterparty's own, so it is ours that has them: an earlier submission was taken, and its answer lost. */
function takenOrRefused(
  error: unknown,
  uid: string,
  { payment_accounts: requested }: Registration,
): CounterpartySnapshot {
  const accountUids = requested.map((account) => account.uid);
  if (error instanceof PaymentsApiError && error.code === 'rejected' && isTaken(error, accountUids))
    return { uid, state: 'registered', accountUids, isTaken: true };
  throw error;
}

/** No code of its own is documented for it (docs/provider.md#unknown): its words have to name a uid, and say so. */
const isTaken = ({ means, problems }: PaymentsApiError, uids: readonly string[]): boolean =>
  means === 'duplicate_uid' ||
  problems.some(
    ({ detail = '' }) =>
      uids.some((uid) => detail.includes(uid)) && /\b(taken|exists?|in use|used)\b/.test(detail),
  );
