// Before an agreement is sent: resolves PayIDs once and waits until daily limits end. Plain JSON and pure.
import { isUnderWay, type Action } from '../../domain/agreement/action.js';
import { isAlias, type Mandate } from '../../domain/agreement/mandate.js';
import { dailyLimitEndsAt } from '../../domain/provider/daily-limit.js';
import { spreadOf } from '../resource/blocked.js';
import type { Payer } from '../../domain/agreement/payer.schema.js';
import type { Instant } from '../../domain/facts/fact.js';
import type { CallFailure } from '../engine/call-failure.js';

const PARTIES = ['debtor', 'creditor'] as const;
type AgreementParty = (typeof PARTIES)[number];

/** A daily limit of the provider: it refuses our calls until then. */
interface DailyLimit {
  code: string;
  until: Instant;
}

export interface Creation {
  /** The payer's data, stored only until the PayIDs are resolved. */
  payer?: Payer | undefined;
  /** The name behind each resolved PayID. Null if the provider returned none. */
  payIdNames?: Partial<Record<AgreementParty, string | null>> | undefined;
  limit?: DailyLimit | undefined;
}

interface Creating extends Creation {
  uid: string;
  mandate?: Mandate | undefined;
  actions: readonly Action[];
}

export type CreationStep =
  { do: 'resolve_alias'; party: AgreementParty } | { do: 'await_limit'; until: Instant };

/** The next step before sending. None if the agreement was cancelled, because it is then not sent. */
export function nextCreationStep(state: Creating): CreationStep | undefined {
  if (isCancellationRequested(state)) return undefined;
  if (state.limit !== undefined) return { do: 'await_limit', until: state.limit.until };
  const party = unresolvedParty(state);
  return party === undefined ? undefined : { do: 'resolve_alias', party };
}

export const isCancellationRequested = ({ actions }: Pick<Creating, 'actions'>): boolean =>
  actions.some((action) => action.command.kind === 'cancellation' && isUnderWay(action));

const unresolvedParty = ({
  mandate,
  payer,
  payIdNames,
}: Pick<Creating, 'mandate' | 'payer' | 'payIdNames'>) =>
  PARTIES.find((party) => {
    const account = mandate?.[party]?.account_identifier;
    return payer !== undefined && account != null && isAlias(account) && payIdNames?.[party] === undefined;
  });

/** Deletes the payer's data as soon as no PayID needs it. */
export const dropUnneededPayer = <State extends Pick<Creating, 'mandate' | 'payer' | 'payIdNames'>>(
  state: State,
): State => (unresolvedParty(state) === undefined ? { ...state, payer: undefined } : state);

export const applyPayIdName = <State extends Creating>(
  state: State,
  party: AgreementParty,
  name: string | null,
): State => dropUnneededPayer({ ...state, payIdNames: { ...state.payIdNames, [party]: name } });

export const isDailyLimit = ({ code, means }: CallFailure): boolean =>
  code === 'rejected' && means === 'limit';

/** Waits until the daily limit ends. The call had no effect and is repeated then. */
export function applyDailyLimit<State extends Creating>(
  state: State,
  { providerCodes: [code = 'limit'], retryAfterMs }: CallFailure,
  now: Instant,
): State {
  return {
    ...state,
    limit: { code, until: dailyLimitEndsAt(code, now, { spread: spreadOf(state.uid), retryAfterMs }) },
  };
}
