// In:  workflows/agreement/workflow.ts passes a command on.
// Out: payments-api/client.ts.
import { isAskedFor } from '../domain/intent.js';
import { PaymentsApiError } from '../payments-api/errors.js';
import { writeFailure } from './failure.js';
import { lookAtAgreement } from './look.js';
import type { Ask, Proposal } from '../domain/action.js';
import type { AgreementLook } from '../domain/snapshot.js';
import type { Call, PaymentsApi } from '../payments-api/client.js';
import type { Dependencies } from './dependencies.js';

export interface ActArgs {
  uid: string;
  connectionId: string;
  ask: Ask;
}

/** `accepted`: its outcome comes as an event. `look`: the provider says that it is not the time for it; this is how things stand. */
export type ActAnswer =
  | { outcome: 'accepted' }
  | { outcome: 'look'; look: AgreementLook; code: string; title?: string | undefined };

function passOn(payments: PaymentsApi, { uid, ask }: ActArgs, call: Call): Promise<void> {
  switch (ask.kind) {
    case 'suspension':
      return payments.suspendAgreement(uid, ask.body, call);
    case 'cancellation':
      return payments.cancelAgreement(uid, ask.body, call);
    case 'reactivation':
      return payments.reactivateAgreement(uid, call);
    case 'amendment':
      return payments.proposeAmendment(uid, ask.body, call);
    case 'amendment_recall':
      return payments.recallAmendment(uid, call);
  }
}

/** What a refusal can mean after an attempt whose answer was lost (facts 7.4): under way already, or not the time for it. */
const MEANS: Readonly<Record<string, 'under_way' | 'look' | 'compare'>> = {
  ZPSUS00: 'look', ZPSUS01: 'under_way', ZPCAN00: 'look', ZPCAN01: 'under_way', ZPREA00: 'look',
  ZPREA01: 'under_way', ZPAMN00: 'look', ZPAMN01: 'compare', ZPAMN03: 'look', ZPARE00: 'look',
  ZPARE01: 'under_way', ZPARE02: 'look',
}; // prettier-ignore

export function actOnAgreementActivity(deps: Dependencies) {
  /** May be repeated: of what is asked twice the provider takes the first, and says so of the second. */
  return async function actOnAgreement(args: ActArgs): Promise<ActAnswer> {
    try {
      await deps.withAccess(args.connectionId, (call) => passOn(deps.payments, args, call));
      return { outcome: 'accepted' };
    } catch (error) {
      const code = codeIn(error);
      if (code === undefined) throw writeFailure(error);
      if (MEANS[code] === 'under_way') return { outcome: 'accepted' };
      if (MEANS[code] === 'compare' && args.ask.kind === 'amendment')
        return isOurs(deps, args, args.ask.body, error, code);
      const look = await looked(deps, args);
      return { outcome: 'look', look, code, title: titleIn(error) };
    }
  };
}

const codeIn = (error: unknown): string | undefined =>
  error instanceof PaymentsApiError
    ? error.providerCodes.find((code) => Object.hasOwn(MEANS, code))
    : undefined;

const titleIn = (error: unknown): string | undefined =>
  error instanceof PaymentsApiError ? error.problems[0]?.title : undefined;

async function looked(deps: Dependencies, { uid, connectionId }: ActArgs): Promise<AgreementLook> {
  try {
    return await lookAtAgreement(deps, connectionId, uid);
  } catch (error) {
    throw writeFailure(error);
  }
}

/** One amendment at a time: the one under way is ours if it changes what we asked to change; one that is over by now may be. */
async function isOurs(
  deps: Dependencies,
  args: ActArgs,
  { changes: wanted }: Proposal,
  refusal: unknown,
  code: string,
): Promise<ActAnswer> {
  const { uid, connectionId } = args;
  try {
    const { changes } = await deps.withAccess(connectionId, (call) => deps.payments.getAmendment(uid, call));
    if (changes && isAskedFor(wanted, changes)) return { outcome: 'accepted' };
  } catch (error) {
    const isGone = error instanceof PaymentsApiError && error.code === 'not_found';
    if (!isGone) throw writeFailure(error);
    return { outcome: 'look', look: await looked(deps, args), code, title: titleIn(refusal) };
  }
  throw writeFailure(refusal);
}
