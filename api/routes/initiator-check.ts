// Checks before acceptance whether a client may initiate an agreement or be added to one.
import type { Identification } from '../../domain/agreement/action.schema.js';
import { refusalsToIdentify } from '../../domain/agreement/identification.js';
import {
  initiationOf,
  refusalsOfInitiation,
  type InitiationRefusal,
  type Initiating,
} from '../../domain/client/may-initiate.js';
import type { RecordedAgreementView } from '../../workflows/agreement/contract.js';
import type { ApiDependencies } from '../http/dependencies.js';
import { ApiError } from '../http/problems/errors.js';
import { wouldRefuse } from './provider-check.js';

type Checking = Pick<ApiDependencies, 'temporal' | 'highRisk' | 'providerVersion'>;

/** All reasons against a new agreement, as far as we know its client and account. */
async function refusalsOfNew(
  { temporal, highRisk }: Pick<Checking, 'temporal' | 'highRisk'>,
  initiating: Omit<Initiating, 'isNew'>,
): Promise<InitiationRefusal[]> {
  return refusalsOfInitiation(
    await initiationOf(temporal.initiators, { ...initiating, isNew: true }, highRisk),
  );
}

/**
 * Refuses an agreement that the client may not initiate. A repeat passes.
 * @throws ApiError `client_not_active`, or `provider_would_refuse`
 */
export async function assertMayInitiate(
  checking: Checking,
  {
    connection,
    initiator,
    debtor,
  }: Omit<Initiating, 'isNew' | 'connectionId'> & { connection?: string | undefined },
  isRepeat: () => Promise<boolean>,
): Promise<void> {
  const { temporal } = checking;
  const isNamed = initiator?.client_id != null || debtor?.payment_account_uid != null;
  const connectionId = isNamed ? await temporal.connectionFor(connection) : undefined;
  const refusals = await refusalsOfNew(checking, { connectionId, initiator, debtor });
  if (refusals.length === 0 || (await isRepeat())) return;
  throw refused(checking, refusals);
}

/** The agreement itself checks these rules when it handles the command. */
const JUDGED_BY_AGREEMENT: readonly string[] = ['adds_only', 'once', 'not_final'];

/** @throws ApiError `client_not_active`, or `provider_would_refuse` */
export async function assertMayIdentify(
  checking: Checking,
  { state, mandate, connectionId }: RecordedAgreementView,
  ask: Identification,
): Promise<void> {
  if (state === 'unknown') return;
  const { temporal, highRisk } = checking;
  const agreement = { state, mandate, connectionId };
  const refusals = await refusalsToIdentify(temporal.initiators, agreement, ask, highRisk);
  const ours = refusals.filter(({ code }) => !JUDGED_BY_AGREEMENT.includes(code));
  if (ours.length > 0) throw refused(checking, ours);
}

function refused(
  checking: Checking,
  refusals: readonly { code: string; pointer: string; detail: string }[],
): ApiError {
  const errors = refusals.map(({ pointer, detail }) => ({ pointer, detail }));
  if (refusals.every(({ code }) => code !== 'client_not_active')) return wouldRefuse(checking, errors);
  return new ApiError(
    'client_not_active',
    'This client may not initiate agreements. Nothing was sent. See `errors` for the reasons.',
    { errors },
  );
}
