// The calls of each resource of the provider: how it is read, and how it is created.
import { showsTheSame, type PaymentSnapshot } from '../../domain/payment/lifecycle.js';
import { pollAgreement, type AgreementWatch } from '../agreement/poll.js';
import { writeFailure } from '../failure.js';
import { requireInTime, type SendingTime } from '../payment/in-time.js';
import { requireNoStop } from '../temporal/stops.js';
import { asRead, readActivities, type WatchArgs } from './read.js';
import { clientIn, fetchAgreement, fetchBy, fetchClient, findClientOf, type Ref } from './snapshot.js';
import { submitOnce } from './submit-once.js';
import type { AgreementSnapshot } from '../../domain/agreement/lifecycle.js';
import type { ClientSnapshot } from '../../domain/client/lifecycle.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { Fetched } from '../../domain/facts/snapshot.js';
import type { RefundSnapshot } from '../../domain/refund/lifecycle.js';
import type { Mandate, PaymentOrder } from '../../domain/agreement/mandate.js';
import type { ClientChanges, ClientOrder } from '../../domain/client/request.schema.js';
import type { RefundOrder } from '../../domain/refund/request.schema.js';
import type { ProviderResource } from '../../domain/resources.js';
import type { Call } from '../../payments-api/client.js';
import type { Dependencies } from '../dependencies.js';

/** The provider shows no counterparty after its registration. */
type ReadResource = Exclude<ProviderResource, 'counterparty'>;

export interface PaymentWatch extends WatchArgs {
  /** From this time on, the same state is news too, because the payment may have returned to it. */
  snapshotStateUntil?: Instant | undefined;
}

async function pollPayment(
  fetch: () => Promise<Fetched<PaymentSnapshot>>,
  { snapshotState, snapshotStateUntil }: PaymentWatch,
): Promise<Fetched<PaymentSnapshot> | undefined> {
  const fetched = await fetch();
  const isDue = snapshotStateUntil !== undefined && fetched.fetchedAt >= snapshotStateUntil;
  return showsTheSame(fetched.snapshot.state, snapshotState) && !isDue ? undefined : fetched;
}

export function resourceReads(deps: Dependencies) {
  const { lookUp, watch } = readActivities<{ snapshot: ClientSnapshot; watch: WatchArgs }>(deps, {
    resource: 'client',
    fetchSnapshot: fetchClient,
  });
  return {
    agreement: readActivities<{ snapshot: AgreementSnapshot; watch: AgreementWatch }>(deps, {
      resource: 'agreement',
      fetchSnapshot: fetchAgreement,
      poll: pollAgreement,
    }),
    payment: readActivities<{ snapshot: PaymentSnapshot; watch: PaymentWatch }>(deps, {
      resource: 'payment',
      fetchSnapshot: fetchBy((payments, { uid }, call) => payments.getPayment(uid, call)),
      poll: pollPayment,
    }),
    refund: readActivities<{ snapshot: RefundSnapshot; watch: WatchArgs }>(deps, {
      resource: 'refund',
      fetchSnapshot: fetchBy((payments, { uid }, call) => payments.getRefund(uid, call)),
    }),
    client: {
      lookUp,
      watch,
      /** The provider knows a client only by its own id. Until we have that id, we look for its business: by ABN, else by ACN, else by legal name. */
      find: (of: Ref & { order: ClientOrder }) => asRead(() => findClientOf(deps, of)),
    },
  } satisfies Record<ReadResource, object>;
}

/**
 * Each makes one attempt. If no answer arrives, the workflow looks for the resource before it sends the request again. Calls that move
 * money make none if payments are stopped or the time limit has passed.
 */
export const submissions = (deps: Dependencies) => ({
  createAgreement: ({ uid, connectionId, mandate }: Ref & { mandate: Mandate }) =>
    submitOnce(deps, connectionId, (call) => deps.payments.createAgreement({ uid, ...mandate }, call)),

  submitPayment: (args: Ref & SendingTime & { order: PaymentOrder }): Promise<Fetched<PaymentSnapshot>> => {
    const { uid, connectionId, order } = args;
    const rightBeforeFirstByte = async (): Promise<void> => {
      await requireNoStop(deps, connectionId);
      requireInTime(deps, args);
    };
    const create = (call: Call) => deps.payments.createPayment({ uid, ...order }, call);
    return submitOnce(deps, connectionId, create, rightBeforeFirstByte);
  },

  submitRefund: ({ uid, connectionId, order }: Ref & { order: RefundOrder }) =>
    submitOnce(
      deps,
      connectionId,
      (call) => deps.payments.createRefund({ uid, ...order }, call),
      () => requireNoStop(deps, connectionId),
    ),

  createClient: ({ uid, connectionId, order }: Ref & { order: ClientOrder }) =>
    submitOnce(deps, connectionId, async (call) =>
      clientIn(await deps.payments.createClient(order, call), uid),
    ),
});

/** Safe to repeat: the changes state the desired values. */
export const changeClientActivity =
  ({ payments, withAccess }: Dependencies) =>
  async ({ uid, connectionId, providerId, changes }: Ref & { changes: ClientChanges }): Promise<void> => {
    if (providerId === undefined) throw new Error(`client ${uid} has no providerId yet`);
    await withAccess(connectionId, (call) => payments.updateClient(providerId, changes, call)).catch(
      (error: unknown) => {
        throw writeFailure(error);
      },
    );
  };
