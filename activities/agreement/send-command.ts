import { isIdentified, type Identification } from '../../domain/agreement/identification.js';
import { isRequestedChange } from '../../domain/commands/differences.js';
import { PaymentsApiError } from '../../payments-api/errors.js';
import { writeFailure } from '../failure.js';
import { fetchAgreement } from '../resource/snapshot.js';
import type { ActionCommand, Proposal } from '../../domain/agreement/action.js';
import type { Fetched } from '../../domain/facts/snapshot.js';
import type { AgreementSnapshot } from '../../domain/agreement/lifecycle.js';
import type { Call, PaymentsApi } from '../../payments-api/client.js';
import type { Dependencies } from '../dependencies.js';

export interface SendCommandArgs {
  uid: string;
  connectionId: string;
  command: ActionCommand;
}

/** `accepted`: an event will report the outcome. `done`: no event follows. `out_of_place`: refused because of the `fetched` state. */
export type SendCommandAnswer =
  | { outcome: 'accepted' | 'done' }
  | {
      outcome: 'out_of_place';
      fetched: Fetched<AgreementSnapshot>;
      code: string;
      title?: string | undefined;
      /** What a person should do about the code. */
      advice?: string | undefined;
    };

async function send(payments: PaymentsApi, { uid, command }: SendCommandArgs, call: Call): Promise<unknown> {
  switch (command.kind) {
    case 'identification':
      return payments.addIdentification(uid, command.body, call);
    case 'suspension':
      return payments.suspendAgreement(uid, command.body, call);
    case 'cancellation':
      return payments.cancelAgreement(uid, command.body, call);
    case 'reactivation':
      return payments.reactivateAgreement(uid, call);
    case 'amendment':
      return payments.proposeAmendment(uid, command.body, call);
    case 'amendment_recall':
      return payments.recallAmendment(uid, call);
  }
}

export function sendCommandActivity(deps: Dependencies) {
  /** Safe to repeat: the provider accepts a command once, and we recognise its refusal of a duplicate. */
  return async function sendCommand(args: SendCommandArgs): Promise<SendCommandAnswer> {
    try {
      await deps.withAccess(args.connectionId, (call) => send(deps.payments, args, call));
      return { outcome: args.command.kind === 'identification' ? 'done' : 'accepted' };
    } catch (error) {
      return afterRefusal(deps, args, error).catch((failure: unknown) => {
        throw writeFailure(failure);
      });
    }
  };
}

/** Interprets a refusal: an earlier attempt whose answer was lost may have succeeded (docs/provider.md#agreements-actions). */
async function afterRefusal(
  deps: Dependencies,
  args: SendCommandArgs,
  error: unknown,
): Promise<SendCommandAnswer> {
  if (!(error instanceof PaymentsApiError)) throw error;
  if (args.command.kind === 'identification') return ofIdentification(deps, args, args.command.body, error);
  switch (error.means) {
    case 'already_processing':
      return { outcome: 'accepted' };
    case 'amendment_pending':
      return args.command.kind === 'amendment'
        ? ofAmendmentPending(deps, args, args.command.body, error)
        : outOfPlace(deps, args, error);
    case 'wrong_state':
    case 'no_change':
    case 'no_amendment':
      return outOfPlace(deps, args, error);
    default:
      throw error;
  }
}

async function outOfPlace(
  deps: Dependencies,
  args: SendCommandArgs,
  { providerCodes, problems, advice }: PaymentsApiError,
): Promise<SendCommandAnswer> {
  const fetched = await fetchAgreement(deps, args);
  return {
    outcome: 'out_of_place',
    fetched,
    code: providerCodes[0] ?? 'rejected',
    title: problems[0]?.title,
    advice,
  };
}

/** The provider allows one amendment at a time. One with the requested changes is ours. If none is pending, ours may have ended. */
async function ofAmendmentPending(
  deps: Dependencies,
  args: SendCommandArgs,
  { changes: wanted }: Proposal,
  refusal: PaymentsApiError,
): Promise<SendCommandAnswer> {
  try {
    const { changes } = await deps.withAccess(args.connectionId, (call) =>
      deps.payments.getAmendment(args.uid, call),
    );
    if (changes && isRequestedChange(wanted, changes)) return { outcome: 'accepted' };
  } catch (error) {
    const isGone = error instanceof PaymentsApiError && error.code === 'not_found';
    if (!isGone) throw error;
    return outOfPlace(deps, args, refusal);
  }
  throw refusal;
}

/** The provider accepts each identification once, so an earlier attempt may have caused the refusal (docs/provider.md#identification). */
async function ofIdentification(
  deps: Dependencies,
  args: SendCommandArgs,
  wanted: Identification,
  refusal: PaymentsApiError,
): Promise<SendCommandAnswer> {
  if (refusal.code !== 'rejected') throw refusal;
  const { snapshot } = await fetchAgreement(deps, args);
  if (isIdentified(snapshot.mandate, wanted)) return { outcome: 'done' };
  throw refusal;
}
