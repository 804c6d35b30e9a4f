// Merges changes into an agreement: an absent field stays, a null field is cleared (docs/provider.md#amendments).
import { z } from 'zod';
import { partyFrom, termsFrom } from '../agreements/parties.js';
import { CurrentCreditor, Terms } from '../agreements/request.schema.js';
import { canBecome, moveAmendment, runningAmendment, type OfAgreement } from '../agreements/states.js';
import type { Engine } from '../engine/parts.js';
import { refusalFrom } from '../http/refusal.js';
import type { Agreement } from '../store/agreement.schema.js';
import type { Changes, Amendment } from '../store/amendment.schema.js';

/** The fields that an amendment can change. */
export type Amended = Pick<
  Agreement,
  'description' | 'validity_end_date' | 'payment_terms' | 'debtor' | 'creditor' | 'initiator'
>;

/** The merged result must satisfy the same schemas as a create request. */
const Whole = z.object({ payment_terms: Terms, creditor: CurrentCreditor.nullable() });

/** @throws Refusal 422 ZPUNP00 if the changes lead to invalid terms or an invalid creditor. */
export function amended(engine: Engine, agreement: Agreement, changes: Changes): Amended {
  const whole = Whole.safeParse({
    payment_terms: { ...agreement.payment_terms, ...changes.payment_terms },
    creditor: mergedCreditor(agreement.creditor, changes.creditor),
  });
  if (!whole.success) throw refusalFrom(whole.error);
  const { payment_terms: terms, creditor } = whole.data;
  const { validity_end_date: end = agreement.validity_end_date } = changes;
  return {
    description: changes.description ?? agreement.description,
    validity_end_date: end,
    payment_terms: termsFrom(terms),
    debtor: mergedDebtor(agreement.debtor, changes.debtor),
    creditor: creditor === null ? null : partyFrom(engine, 'creditor', creditor),
    initiator: { ...agreement.initiator, name: changes.initiator?.name ?? agreement.initiator.name },
  };
}

/** A new account removes the registered one. A newly named registered account replaces the account. */
function mergedCreditor(now: Agreement['creditor'], changes: Changes['creditor']): object | null {
  if (changes === undefined) return now;
  if (changes === null) return null;
  const { account_identifier: account, payment_account_uid: uid } = changes;
  return {
    ...now,
    ...(account !== undefined && { payment_account_uid: null }),
    ...(uid != null && { account_identifier: null }),
    ...changes,
  };
}

function mergedDebtor(now: Agreement['debtor'], changes: Changes['debtor']): Agreement['debtor'] {
  if (changes === undefined) return now;
  const {
    party_name = now.party_name,
    ultimate_party_name = now.ultimate_party_name,
    account_identifier,
  } = changes;
  const account = account_identifier === undefined ? {} : { account_identifier, payment_account_uid: null };
  return { ...now, party_name, ultimate_party_name, ...account };
}

const isSomething = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).some(isSomething) : value !== undefined;

/** False for empty objects. A null is a change: it clears the field. */
export const hasChanges = (changes: object): boolean => isSomething(changes);

/**
 * Whether the payer must approve the changes. The documents do not list these changes. As at other PayTo services, they are
 * terms and the validity end; description, creditor and initiator change at once.
 */
export function needPayer({ payment_terms = {}, validity_end_date: end }: Changes): boolean {
  return isSomething(payment_terms) || end !== undefined;
}

/** The amendment that awaits the payer's decision. */
export function awaitedAmendment(agreement: Agreement): Amendment | undefined {
  const running = runningAmendment(agreement);
  return running?.state === 'created' ? running : undefined;
}

/** Applies the changes once the payer has agreed, or at once if no approval is needed. */
export function applyAmendment(engine: Engine, it: OfAgreement): boolean {
  const { agreement, amendment } = it;
  if (!canBecome(amendment, 'applied')) return false;
  const { changes, actor } = amendment;
  Object.assign(agreement, amended(engine, agreement, changes));
  const body = { caused_by: actor, changes };
  return moveAmendment(engine, it, { to: 'applied', event: { name: 'amended', body } });
}
