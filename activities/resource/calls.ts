// The calls of each resource of the provider: how it is read, and how it is created.
import { showsTheSame } from '../../domain/payment/lifecycle.js';
import { writeFailure } from '../failure.js';
import { requireInTime } from '../payment/in-time.js';
import { requireNoStop } from '../temporal/stops.js';
import { asRead, readActivities } from './read.js';
import {
  clientIn,
  fetchAgreement,
  fetchAgreementState,
  fetchClient,
  fetchPayment,
  fetchRefund,
  findClientOf,
  refundIn,
} from './snapshot.js';
import { submitOnce } from './submit-once.js';
import type { Mandate, PaymentOrder } from '../../domain/agreement/mandate.js';
import type { ClientChanges, ClientOrder } from '../../domain/client/request.schema.js';
import type { RefundOrder } from '../../domain/refund/request.schema.js';
import type { ProviderResource } from '../../domain/resources.js';
import type { Dependencies } from '../dependencies.js';
import type { SendingTime } from '../payment/in-time.js';
import type { Ref } from './snapshot.js';

/** The provider shows no counterparty after its registration. */
type ReadResource = Exclude<ProviderResource, 'counterparty'>;

export function resourceReads(deps: Dependencies) {
  const { lookUp, watch } = readActivities(deps, { resource: 'client', fetchSnapshot: fetchClient });
  return {
    agreement: readActivities(deps, {
      resource: 'agreement',
      fetchSnapshot: fetchAgreement,
      fetchState: fetchAgreementState,
    }),
    payment: readActivities(deps, { resource: 'payment', fetchSnapshot: fetchPayment, showsTheSame }),
    refund: readActivities(deps, { resource: 'refund', fetchSnapshot: fetchRefund }),
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

  submitPayment: ({ uid, connectionId, order, ...time }: Ref & SendingTime & { order: PaymentOrder }) =>
    submitOnce(deps, connectionId, (call) => deps.payments.createPayment({ uid, ...order }, call), [
      requireNoStop(deps, connectionId),
      requireInTime(deps, time),
    ]),

  submitRefund: ({ uid, connectionId, order }: Ref & { order: RefundOrder }) =>
    submitOnce(
      deps,
      connectionId,
      async (call) => refundIn(await deps.payments.createRefund({ uid, ...order }, call), uid, 'created'),
      [requireNoStop(deps, connectionId)],
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
