// The calls that the story of each followed resource makes: how it is submitted, found and read. A few lines for each resource.
// In:  workflows/{agreement,payment,refund,client,counterparty}/steps.ts.
// Out: activities/resource/read.ts and submit.ts, with how a snapshot is fetched (activities/resource/snapshot.ts); delivery/deliver.ts.
import { deliver, messageOf } from '../delivery/deliver.js';
import { paymentOf } from '../delivery/recipients.js';
import { showsTheSame } from '../domain/payment/lifecycle.js';
import { refundReports } from '../workflows/payment/contract.js';
import { PaymentsApiError } from '../payments-api/errors.js';
import { readFailure, writeFailure } from './failure.js';
import { withHeartbeats } from './attempts/heartbeat.js';
import { followActivities } from './resource/read.js';
import {
  clientIn,
  fetchAgreement,
  fetchAgreementState,
  fetchClient,
  fetchPayment,
  fetchRefund,
  findClientOf,
  refundIn,
} from './resource/snapshot.js';
import { resolveAliases } from './agreement/resolve-aliases.js';
import { callOnce, submitOnce } from './resource/submit-once.js';
import { unlessStopped } from './temporal/stops.js';
import { outcomeOfResult } from '../domain/counterparty/verification.js';
import type { ClientChanges, ClientOrder } from '../domain/client/request.schema.js';
import type { Registration } from '../domain/counterparty/lifecycle.js';
import type { AccountAsked } from '../domain/counterparty/request.schema.js';
import type { Mandate, PaymentOrder } from '../domain/agreement/mandate.js';
import type { Payer } from '../domain/agreement/payer.schema.js';
import type { RefundReport } from '../domain/refund/lifecycle.js';
import type { RefundOrder } from '../domain/refund/request.schema.js';
import type { Dependencies } from './dependencies.js';
import type { CounterpartySnapshot } from '../domain/facts/snapshot.js';
import type { Verified } from '../domain/counterparty/verification.js';
import type { Counterparty } from '../payments-api/answers/resources.schema.js';
import type { Call, PaymentsApi } from '../payments-api/client.js';
import type { Ref } from './resource/snapshot.js';

export interface CreateAgreementArgs extends Ref {
  mandate: Mandate;
  /** Absent where no PayID is named. */
  payer?: Payer | undefined;
}

export interface ReportRefundArgs {
  paymentUid: string;
  connectionId: string;
  report: RefundReport;
}

/** May be repeated: it says how the client is to be. */
export interface ChangeClientArgs extends Ref {
  changes: ClientChanges;
}

export interface VerifyAccountArgs extends Ref {
  check: 'account_validation' | 'alias_resolution';
  /** The uid of this try. */
  reference: string;
  account: Pick<AccountAsked, 'account_identifier' | 'party_name'>;
  payer?: Payer | undefined;
}

export const resourceActivities = (deps: Dependencies) => ({
  ...agreementActivities(deps),
  ...paymentActivities(deps),
  ...refundActivities(deps),
  ...clientActivities(deps),
  ...counterpartyActivities(deps),
});

function agreementActivities(deps: Dependencies) {
  const { payments } = deps;
  const agreement = followActivities(deps, {
    resource: 'agreement',
    fetchSnapshot: fetchAgreement,
    fetchState: fetchAgreementState,
  });
  return {
    createAgreement: ({ uid, connectionId, mandate, payer }: CreateAgreementArgs) =>
      submitOnce(deps, connectionId, async (call) => {
        await resolveAliases(payments, mandate, payer, call);
        return payments.createAgreement({ uid, ...mandate }, call);
      }),
    findAgreement: agreement.find,
    lookUpAgreement: agreement.lookUp,
    watchAgreement: agreement.watch,
    adoptAgreement: agreement.adopt,
  };
}

function paymentActivities(deps: Dependencies) {
  const { payments } = deps;
  const payment = followActivities(deps, {
    resource: 'payment',
    fetchSnapshot: fetchPayment,
    showsTheSame,
  });
  return {
    submitPayment: ({ uid, connectionId, order }: Ref & { order: PaymentOrder }) =>
      submitOnce(
        deps,
        connectionId,
        unlessStopped(deps, connectionId, (call) => payments.createPayment({ uid, ...order }, call)),
      ),
    findPayment: payment.find,
    lookUpPayment: payment.lookUp,
    watchPayment: payment.watch,
    adoptPayment: payment.adopt,
  };
}

function refundActivities(deps: Dependencies) {
  const { payments } = deps;
  const refund = followActivities(deps, { resource: 'refund', fetchSnapshot: fetchRefund });
  return {
    submitRefund: ({ uid, connectionId, order }: Ref & { order: RefundOrder }) =>
      submitOnce(
        deps,
        connectionId,
        unlessStopped(deps, connectionId, async (call) =>
          refundIn(await payments.createRefund({ uid, ...order }, call), uid, 'created'),
        ),
      ),
    findRefund: refund.find,
    lookUpRefund: refund.lookUp,
    watchRefund: refund.watch,
    adoptRefund: refund.adopt,
    /** To a payment whose run may be over, or of which only its refund is known here. */
    reportRefund: async ({ paymentUid, connectionId, report }: ReportRefundArgs): Promise<void> => {
      const to = { client: deps.temporal, taskQueue: deps.taskQueue };
      const message = messageOf('a refund', refundReports, report);
      if (!(await deliver(to, paymentOf(paymentUid, connectionId), message)))
        throw new Error(`expected payment ${paymentUid} to take the report`);
    },
  };
}

/** A client is known by the provider's id alone, and looked for by its business until that is known. */
function clientActivities(deps: Dependencies) {
  const { payments } = deps;
  const client = followActivities(deps, { resource: 'client', fetchSnapshot: fetchClient });
  return {
    createClient: ({ uid, connectionId, order }: Ref & { order: ClientOrder }) =>
      submitOnce(deps, connectionId, async (call) => clientIn(await payments.createClient(order, call), uid)),
    findClient: (of: Ref & { order: ClientOrder }) =>
      withHeartbeats(() => findClientOf(deps, of)).catch((error: unknown) => {
        throw readFailure(error);
      }),
    lookUpClient: client.lookUp,
    watchClient: client.watch,
    changeClient: async ({ uid, connectionId, providerId, changes }: ChangeClientArgs): Promise<void> => {
      if (providerId === undefined) throw new Error(`expected client ${uid} to have an id at the provider`);
      await deps
        .withAccess(connectionId, (call) => payments.updateClient(providerId, changes, call))
        .catch((error: unknown) => {
          throw writeFailure(error);
        });
    },
  };
}

/** The provider shows no counterparty again: what its answer says is all that is ever known. */
function counterpartyActivities(deps: Dependencies) {
  const { payments } = deps;
  return {
    createCounterparty: ({ uid, connectionId, registration }: Ref & { registration: Registration }) =>
      submitOnce(deps, connectionId, (call) =>
        payments.createCounterparty(registration, call).then(
          (answer) => counterpartyIn(answer, uid, registration),
          (error: unknown) => takenOrRefused(error, uid, registration),
        ),
      ),
    verifyAccount: (args: VerifyAccountArgs): Promise<Verified> =>
      callOnce(deps, args.connectionId, (call) =>
        args.check === 'alias_resolution' ? resolved(payments, args, call) : validated(payments, args, call),
      ),
  };
}

/** What a counterparty is once the provider has said so. Where it minted uids of accounts itself, these are theirs. */
function counterpartyIn(
  { id, uid: otherId, payment_accounts: answered }: Counterparty,
  uid: string,
  { payment_accounts: asked }: Registration,
): CounterpartySnapshot {
  const accountUids = asked.map(({ uid: given, account_identifier: { type, value } }) => {
    const same = answered?.find(({ account_identifier: one }) => one?.type === type && one.value === value);
    return same?.uid ?? given;
  });
  return { uid, state: 'registered', counterpartyId: id ?? otherId ?? undefined, accountUids };
}

/** The uids are made of this counterparty's own, so it is ours that has them: an earlier submission was taken, and its answer lost. */
function takenOrRefused(
  error: unknown,
  uid: string,
  { payment_accounts: asked }: Registration,
): CounterpartySnapshot {
  const accountUids = asked.map((account) => account.uid);
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
